"""The version of the package: read by the build, recorded by the index."""

VERSION = "0.2.0"
