# SPDX-License-Identifier: GPL-2.0-or-later
"""Chromium without a window, by the DevTools protocol over a pipe: real wheel, drag and keys."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 90
# of keys that the browser itself acts on: their codes, and what they type
CODES = {"Tab": (9, ""), "Enter": (13, "\r")}


def find():
    """The program, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page at a time; every message that it gets is kept in events."""

    def __init__(self, width=1400, height=1000):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, from_us = os.pipe()
        from_browser, to_us = os.pipe()
        self.out, self.inp = from_us, from_browser
        command = [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--disable-dev-shm-usage",
                   "--disable-background-networking", "--hide-scrollbars",
                   f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}",
                   "--remote-debugging-pipe", "about:blank"]
        # the protocol is on the file descriptors 3 and 4
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{to_us}', "sh", *command],
            pass_fds=(to_browser, to_us), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(to_us)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")
        self.call("Performance.enable", timeDomain="threadTicks")

    def _receive(self):
        deadline = time.monotonic() + PATIENCE_S
        while b"\0" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                raise TimeoutError("the browser says nothing")
            data = os.read(self.inp, 1 << 20)
            if not data:
                raise EOFError("the browser has ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression):
        """The value of an expression of JavaScript, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, path, state=""):
        """Load a page and wait until it has drawn; returns what that took, in ms of the CPU."""
        self.events.clear()
        # often, with a thread of its own, whose time begins anew
        self.call("Page.navigate", url="about:blank")
        before = self.cpu_ms()
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}{state}")
        deadline = time.monotonic() + PATIENCE_S
        while not self.evaluate("document.readyState === 'complete' && !!window.gvt"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} does not get ready: {self.faults()}")
            time.sleep(0.05)
        return self.cpu_ms() - before

    def cpu_ms(self):
        """The time of the CPU that the page's thread has used so far."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration") * 1000

    def frame(self):
        """Wait until what was asked for is drawn."""
        self.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
                      ".then(() => 0)")

    def faults(self):
        """What the page's program complained of."""
        return [event["params"] for event in self.events
                if event.get("method") == "Runtime.exceptionThrown" or
                (event.get("method") == "Runtime.consoleAPICalled" and
                 event["params"]["type"] in ("error", "warning"))]

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, key):
        code, text = CODES.get(key, (0, key if len(key) == 1 else ""))
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      **({"text": text} if text and kind == "keyDown" else {}))
        self.frame()

    def resize(self, width=None, height=None):
        """Another size of the window, or the one that it had."""
        if width:
            self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=False)
        else:
            self.call("Emulation.clearDeviceMetricsOverride")

    def prefer(self, scheme):
        """The colours that the user wishes for: dark, light."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def pdf(self):
        """What it prints, as people do: without backgrounds."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])

    def screenshot(self, path, width, height):
        """A PNG of the page's upper left."""
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        os.close(self.out)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.inp)
        self.profile.cleanup()
