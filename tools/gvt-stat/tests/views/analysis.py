# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a state provider of Trace Compass' XML, as much of the language as ours uses.

What it means is told by Trace Compass' schema, tmf.analysis.xml.core/.../xmlStateProvider.xsd.
"""
import bisect
import operator
import xml.etree.ElementTree as ET

OPERATORS = {"eq": operator.eq, "ne": operator.ne, "ge": operator.ge, "gt": operator.gt, "le": operator.le,
             "lt": operator.lt}


class Analysis:
    """The values of attributes over time, after take() has had all events."""

    def __init__(self, path, name):
        root = ET.parse(path).getroot()
        provider = next(one for one in root.iter("stateProvider") if one.get("id") == name)
        self.locations = {one.get("id"): list(one) for one in provider.iter("location")}
        self.handlers = {one.get("eventName"): list(one) for one in provider.iter("eventHandler")}
        self.history = {}

    def path(self, attributes, fields):
        """None: it has a field that the event lacks."""
        steps = []
        for one in attributes:
            kind, value = one.get("type"), one.get("value")
            if kind == "location":
                inner = self.path(self.locations[value], fields)
                if inner is None:
                    return None
                steps += inner
            elif kind == "constant":
                steps.append(value)
            elif kind == "eventField" and value in fields:
                steps.append(str(fields[value]))
            elif kind == "eventField":
                return None
            else:
                raise ValueError(f"attribute of type {kind}")
        return tuple(steps)

    def now(self, path):
        return self.history[path][1][-1] if path in self.history else None

    def value(self, one, fields):
        kind, value = one.get("type"), one.get("value")
        if kind in ("int", "long"):
            return int(value)
        if kind == "string":
            return value
        if kind == "eventField":
            return fields[value]
        if kind == "null":
            return None
        raise ValueError(f"value of type {kind}")

    def holds(self, one, fields):
        if one.tag == "if":
            return self.holds(one[0], fields)
        if one.tag == "and":
            return all(self.holds(part, fields) for part in one)
        if one.tag != "condition":
            raise ValueError(f"condition {one.tag}")
        wanted = self.value(one.find("stateValue"), fields)
        field = one.find("field")
        if field is not None:
            got = fields[field.get("name")]
        else:
            got = self.now(self.path(one.findall("stateAttribute"), fields))
        compare = OPERATORS[one.get("operator", "eq")]
        return got is not None and compare(got, wanted)

    def change(self, one, fields, ns):
        if one.find("if") is not None:
            if self.holds(one.find("if"), fields):
                self.change(one.find("then"), fields, ns)
            return
        path, to = self.path(one.findall("stateAttribute"), fields), one.find("stateValue")
        if path is None:
            return
        value = self.value(to, fields)
        if to.get("increment") == "true":
            value += self.now(path) or 0
        times, values = self.history.setdefault(path, ([], []))
        times.append(ns)
        values.append(value)

    def take(self, name, ns, fields):
        for one in self.handlers.get(name, ()):
            self.change(one, fields, ns)

    def at(self, path, ns):
        times, values = self.history.get(path, ((), ()))
        nr = bisect.bisect_right(times, ns)
        return values[nr - 1] if nr else None
