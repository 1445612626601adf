"""The error channel: learned from aligned text; it samples noise, lists corruptions, and scores strings.

channel = learn(pairs)                        # or Channel.shipped("ocrad-5"), Channel.load("channel.json")
channel.sample(text, rng)                     # degraded text
channel.most_probable("modern", 10)           # what a word may be read as
channel.log_probabilities("modem", ["modern", "modem"])
"""

from __future__ import annotations

from .channel_files import channel_of, shipped_channels
from .channel_noise import ChannelNoise
from .learning import learn
from .model import Bursts, Channel, Rule, uniform

__all__ = ["Bursts", "Channel", "ChannelNoise", "Rule", "channel_of", "learn", "shipped_channels", "uniform"]
