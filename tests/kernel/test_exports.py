"""Signatures of compiled functions, as modules write them."""

from __future__ import annotations

import numpy as np
import pytest

from lastcard.kernel.exports import Passed, dtype_of, passed, signatures


def test_arguments() -> None:
    (legal,) = signatures({"legal": "s:record seat:int out:int16[most_legal] -> int"}, {})
    assert legal.returns == "int"
    assert passed(legal, {"most_legal": 9}) == [
        Passed("s", "address", "record"),
        Passed("seat", "int64"),
        Passed("out", "address", "int16", ("most_legal",)),
    ]


def test_dimensions_that_nobody_knows_beforehand_are_passed_once() -> None:
    (one,) = signatures({"f": "a:bool[n] b:float64[n,n] log:int32[rows,6] x:float"}, {})
    assert [(each.name, each.type) for each in passed(one, {})] == [
        ("a", "address"),
        ("n", "int64"),
        ("b", "address"),
        ("log", "address"),
        ("rows", "int64"),
        ("x", "float64"),
    ]


def test_tuples_are_taken_apart() -> None:
    (one,) = signatures({"f": "both:Both flag:flag"}, {"Both": "x:int16[2] y:record"})
    assert [each.name for each in passed(one, {})] == ["x", "y", "flag"]
    assert one.arguments[0].fields[1].kind == "record"


def test_what_is_no_argument() -> None:
    with pytest.raises(ValueError, match=r"'s' is no argument: write name:kind"):
        signatures({"f": "s"}, {})


def test_what_lies_at_an_address() -> None:
    layout = np.dtype([("x", np.int8)])
    assert dtype_of("int16", {}) == np.int16
    assert dtype_of("record", {"record": layout}) is layout
