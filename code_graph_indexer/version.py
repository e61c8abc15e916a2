"""The version of the package. The build reads it, and each index records it."""

VERSION = "0.3.0"
