// Package lib declares what the library of Go gives back. The resolver reads it as any code, after all of a repository's own.
package lib

func append[T any](values []T, more ...T) []T
func new[T any](value T) *T

// Interfaces of the library, each behind the path of its package. What has their methods implements them, and the library
// calls it.

type error interface{ Error() string }
type errors_Unwrap interface{ Unwrap() error }
type fmt_Stringer interface{ String() string }
type fmt_GoStringer interface{ GoString() string }
type fmt_Formatter interface{ Format(f State, verb rune) }
type database_sql_Scanner interface{ Scan(src any) error }
type database_sql_driver_Valuer interface{ Value() (Value, error) }
type log_slog_LogValuer interface{ LogValue() Value }
type encoding_json_Marshaler interface{ MarshalJSON() ([]byte, error) }
type encoding_json_Unmarshaler interface{ UnmarshalJSON(data []byte) error }
type encoding_TextMarshaler interface{ MarshalText() ([]byte, error) }
type encoding_TextUnmarshaler interface{ UnmarshalText(text []byte) error }
type encoding_BinaryMarshaler interface{ MarshalBinary() ([]byte, error) }
type encoding_BinaryUnmarshaler interface{ UnmarshalBinary(data []byte) error }
type encoding_gob_GobEncoder interface{ GobEncode() ([]byte, error) }
type encoding_gob_GobDecoder interface{ GobDecode(data []byte) error }
type encoding_xml_Marshaler interface{ MarshalXML(e *Encoder, start StartElement) error }
type encoding_xml_Unmarshaler interface{ UnmarshalXML(d *Decoder, start StartElement) error }
type sort_Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}
type container_heap_Interface interface {
	sort_Interface
	Push(x any)
	Pop() any
}
type io_Reader interface{ Read(p []byte) (int, error) }
type io_Writer interface{ Write(p []byte) (int, error) }
type io_Closer interface{ Close() error }
type io_Seeker interface{ Seek(offset int64, whence int) (int64, error) }
type io_ReaderAt interface{ ReadAt(p []byte, offset int64) (int, error) }
type io_WriterAt interface{ WriteAt(p []byte, offset int64) (int, error) }
type io_ReaderFrom interface{ ReadFrom(r io_Reader) (int64, error) }
type io_WriterTo interface{ WriteTo(w io_Writer) (int64, error) }
type io_ByteReader interface{ ReadByte() (byte, error) }
type io_ByteWriter interface{ WriteByte(c byte) error }
type io_StringWriter interface{ WriteString(s string) (int, error) }
type net_http_Handler interface{ ServeHTTP(w ResponseWriter, r *Request) }
type net_http_RoundTripper interface{ RoundTrip(r *Request) (*Response, error) }
type net_http_Flusher interface{ Flush() }
type net_http_Hijacker interface{ Hijack() (Conn, *ReadWriter, error) }
type sync_Locker interface {
	Lock()
	Unlock()
}
type flag_Value interface {
	String() string
	Set(text string) error
}
type io_fs_FS interface{ Open(name string) (File, error) }
type context_Context interface {
	Deadline() (Time, bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}
