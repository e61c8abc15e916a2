// Package lib declares what the library of Go gives back. The resolver reads it as any code, after all of a repository's own.
package lib

func append[T any](values []T, more ...T) []T
func new[T any](value T) *T
