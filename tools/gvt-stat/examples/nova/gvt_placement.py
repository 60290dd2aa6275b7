# SPDX-License-Identifier: GPL-2.0-or-later
"""OpenStack Nova: instances with a vGPU only go where nobody is slowed down beyond a limit.

A filter and a weigher for Nova's scheduler. They read what 'gvt-stat place --room --json' told
(place-agent, beside this file, keeps that up to date), in which flavors have the names of
Nova's, and hosts those of its compute nodes. See README.md.
"""
import json
import time

from oslo_config import cfg
from oslo_log import log as logging

import nova.conf
from nova.scheduler import filters
from nova.scheduler import weights

LOG = logging.getLogger(__name__)
CONF = nova.conf.CONF

CONF.register_opts([
    cfg.StrOpt('placement_file', default='/var/lib/nova/gvt-placement.json',
               help="What 'gvt-stat place --room --json' printed."),
    cfg.IntOpt('max_age', default=300, min=1,
               help='Seconds after which that is too old to go by.'),
    cfg.FloatOpt('weight_multiplier', default=1.0,
                 help='Above 0, hosts come first on which most is left of the limits; '
                      'below 0, those that are nearly full.'),
], group='gvt')


def read_rooms():
    """{(flavor, host): room}; empty if it cannot be read, or is too old"""
    path = CONF.gvt.placement_file
    try:
        with open(path, encoding='utf-8') as stream:
            document = json.load(stream)
            age = time.time() - document['at']
            rooms = {(room['flavor'], room['host']): room for room in document['room']}
    except (OSError, ValueError, KeyError, TypeError) as error:
        LOG.error('gvt: %s cannot be used: %s; is place-agent running?', path, error)
        return {}
    if not 0 <= age <= CONF.gvt.max_age:
        LOG.error('gvt: %s is %d s old; is place-agent running?', path, age)
        return {}
    return rooms


def wants_vgpu(spec_obj):
    """Does the flavor ask for a vGPU, as in Nova's documentation of virtual GPUs?"""
    return 'resources:VGPU' in (spec_obj.flavor.extra_specs or {})


class GvtFilter(filters.BaseHostFilter):
    """Pass hosts that can have one more instance of this flavor with nobody beyond a limit.

    Instances without a vGPU pass everywhere, those with one nowhere as long as nothing is
    known.
    """
    RUN_ON_REBUILD = False

    def filter_all(self, filter_obj_list, spec_obj):
        self.rooms = read_rooms() if wants_vgpu(spec_obj) else {}
        return super().filter_all(filter_obj_list, spec_obj)

    def host_passes(self, host_state, spec_obj):
        if not wants_vgpu(spec_obj):
            return True
        room = self.rooms.get((spec_obj.flavor.name, host_state.host))
        if room is None:
            LOG.info('gvt: nothing is known of flavor %s on %s', spec_obj.flavor.name,
                     host_state.host)
            return False
        if not room.get('met'):
            LOG.info('gvt: %s on %s: %s', spec_obj.flavor.name, host_state.host, room.get('why'))
        return bool(room.get('met'))


class GvtWeigher(weights.BaseHostWeigher):
    """Weigh hosts by what would be left of the limit of the instance that is nearest to it."""

    def weight_multiplier(self, host_state):
        return CONF.gvt.weight_multiplier

    def weigh_objects(self, weighed_obj_list, weight_properties):
        self.rooms = read_rooms() if wants_vgpu(weight_properties) else {}
        return super().weigh_objects(weighed_obj_list, weight_properties)

    def _weigh_object(self, host_state, weight_properties):
        room = self.rooms.get((weight_properties.flavor.name, host_state.host), {})
        return float(room.get('left_percent') or 0)
