"""Tests of the packages behind imports."""
