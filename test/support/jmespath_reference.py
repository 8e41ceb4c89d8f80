# Reads a JSON list of [expression, JSON text of a value], and prints the result of jmespath.py for each pair: its JSON
# text, or null for an error. The argument "changed" makes jmespath.py differ as --query is meant to differ.
import functools
import json
import operator
import re
import sys
import warnings
from decimal import Decimal

import jmespath
from jmespath import functions, lexer, visitor

warnings.simplefilter("ignore")

changes = []
table = functions.Functions.FUNCTION_TABLE
interpreter = visitor.TreeInterpreter


def change(what):
    changes.append(what)
    return what


def whole(number):
    """A number is an integer if it has no fraction, even if it was written or calculated with one."""
    is_whole = isinstance(number, float) and number.is_integer() and abs(number) < 2**53
    return int(number) if is_whole else number


def add_all(numbers):
    """Adds from left to right, as Python did before 3.12."""
    return functools.reduce(lambda total, one: whole(total + one), numbers, 0)


def as_written(value):
    """Numbers as JavaScript writes them: 1e20 with all digits."""
    if isinstance(value, list):
        return [as_written(one) for one in value]
    if isinstance(value, dict):
        return {name: as_written(one) for name, one in value.items()}
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(Decimal(repr(value)))
    return value


def are_equal(first, second):
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(are_equal, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(are_equal(first[name], second[name]) for name in first)
    return first == second


@change
def a_number_without_a_fraction_is_an_integer():
    load = functools.partial(json.loads, parse_float=lambda text: whole(float(text)))
    globals()["loads"] = lexer.loads = load
    table["sum"]["function"] = lambda _, numbers: add_all(numbers)


@change
def the_average_of_integers_is_exact_if_it_is_an_integer():
    def average(_, numbers):
        if not numbers:
            return None
        total = add_all(numbers)
        return total // len(numbers) if total % len(numbers) == 0 else whole(total / len(numbers))

    table["avg"]["function"] = average


@change
def a_boolean_is_no_number_in_a_list():
    interpreter.COMPARATOR_FUNC = {
        **interpreter.COMPARATOR_FUNC,
        "eq": are_equal,
        "ne": lambda first, second: not are_equal(first, second),
    }


@change
def a_string_and_a_number_have_no_order():
    def order(of):
        return lambda first, second: of(first, second) if isinstance(first, str) == isinstance(second, str) else None

    for name, of in {"lt": operator.lt, "lte": operator.le, "gt": operator.gt, "gte": operator.ge}.items():
        interpreter.COMPARATOR_FUNC[name] = order(of)


@change
def a_string_contains_only_strings():
    def contains(_, subject, search):
        if isinstance(subject, str):
            return isinstance(search, str) and search in subject
        return any(are_equal(one, search) for one in subject)

    table["contains"]["function"] = contains


@change
def every_argument_of_merge_is_an_object():
    merge = table["merge"]["function"]

    def checked(self, *values):
        if not all(isinstance(one, dict) for one in values):
            raise TypeError
        return merge(self, *values)

    table["merge"]["function"] = checked


@change
def strings_have_slices():
    visit_slice, visit_projection = interpreter.visit_slice, interpreter.visit_projection

    def sliced(self, node, value):
        return value[slice(*node["children"])] if isinstance(value, str) else visit_slice(self, node, value)

    def projected(self, node, value):
        left, right = node["children"]
        if left["type"] == "index_expression" and left["children"][-1]["type"] == "slice":
            base = self.visit(left, value)
            if isinstance(base, str):
                return self.visit(right, base)
        return visit_projection(self, node, value)

    interpreter.visit_slice, interpreter.visit_projection = sliced, projected


@change
def to_number_reads_the_numbers_of_json_and_no_words():
    to_number = table["to_number"]["function"]
    table["to_number"]["function"] = lambda self, one: (
        None if isinstance(one, str) and re.search("_|inf|nan", one, re.I) else to_number(self, one)
    )


@change
def to_string_escapes_no_letters():
    def to_string(_, value):
        return value if isinstance(value, str) else json.dumps(as_written(value), separators=(",", ":"), ensure_ascii=False)

    table["to_string"]["function"] = to_string


@change
def a_literal_is_json():
    warnings.simplefilter("error", PendingDeprecationWarning)


def result_of(expression, text):
    try:
        return json.dumps(jmespath.search(expression, loads(text)))
    except Exception:
        return None


loads = json.loads
if sys.argv[1:] == ["changed"]:
    for apply in changes:
        apply()
json.dump([result_of(*pair) for pair in json.load(sys.stdin)], sys.stdout)
