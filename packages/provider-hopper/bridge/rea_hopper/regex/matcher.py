"""Runs a program over texts: all its states at once, and what was found out of a set of states is kept."""

from .classes import is_word
from .parser import Parser
from .program import DONE, FORK, TAKE, WHEN, Program

_START = "start"
_WORD = "word"
_OTHER = "other"
_END = None
_MAXIMUM_KEPT = 4096


class Matcher:
    """Whether a pattern is found in a text. Raises PatternError for what is not of the dialect."""

    def __init__(self, pattern, folded):
        self._program = Program(Parser(pattern, folded).read())
        self._forget()

    def _forget(self):
        self._numbers = {}
        self._states = []
        self._moves = []
        self._first = self._number((frozenset([self._program.start]), _START))

    def _number(self, state):
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            self._numbers[state] = number
            self._states.append(state)
            self._moves.append({})
        return number

    def found_in(self, text, step):
        """`step` is called for every move that is not known yet, so that long work can be given up."""
        if len(self._states) > _MAXIMUM_KEPT:
            self._forget()
        number = self._first
        for character in text:
            following = self._moves[number].get(character)
            if following is None:
                step()
                if len(self._states) > _MAXIMUM_KEPT:
                    state = self._states[number]
                    self._forget()
                    number = self._number(state)
                following = self._move(number, character)
                self._moves[number][character] = following
            if following < 0:
                return True
            number = following
        ending = self._moves[number].get(_END)
        if ending is None:
            ending = -1 if self._closure(self._states[number], _END)[1] else 0
            self._moves[number][_END] = ending
        return ending < 0

    def _move(self, number, character):
        """The number of the state after a character, or -1 when the pattern was found before it."""
        takers, done = self._closure(self._states[number], character)
        if done:
            return -1
        following = {self._program.start}
        for members, place in takers:
            if members.holds(character):
                following.add(place)
        return self._number((frozenset(following), _WORD if is_word(character) else _OTHER))

    def _closure(self, state, character):
        """The steps that wait for a character, and whether the pattern has ended, with `character` next."""
        places, before = state
        steps = self._program.steps
        seen = set(places)
        left = list(places)
        takers = []
        done = False
        while left:
            what, argument, following = steps[left.pop()]
            if what == DONE:
                done = True
                break
            if what == TAKE:
                takers.append((argument, following[0]))
            elif what == FORK or (what == WHEN and _holds(argument, before, character)):
                for place in following:
                    if place not in seen:
                        seen.add(place)
                        left.append(place)
        return takers, done


def _holds(condition, before, character):
    if condition == "start":
        return before == _START
    if condition == "end":
        return character is _END
    at_word = (before == _WORD) != (character is not _END and is_word(character))
    return at_word if condition == "word" else not at_word
