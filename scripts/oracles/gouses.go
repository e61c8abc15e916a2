// Write the uses of definitions in a Go module as go/types sees them, for bench_uses.py.
//
// scip_uses.py explains the columns. The program checks each package of the module with its tests, for this machine's platform.
// Packages of other modules need not be there: names that depend on them have no row.
//
// usage: go run gouses.go ROOT > USES.tsv
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type oracle struct {
	root     string
	module   string
	fset     *token.FileSet
	std      types.Importer
	packages map[string]*types.Package
	out      *bufio.Writer
	bodies   []*ast.BlockStmt
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		panic(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	module := regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`).FindStringSubmatch(string(text))[1]
	fset := token.NewFileSet()
	o := &oracle{root, module, fset, importer.ForCompiler(fset, "source", nil), map[string]*types.Package{}, bufio.NewWriter(os.Stdout), nil}
	defer o.out.Flush()
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || !info.IsDir() {
			return nil
		}
		name := info.Name()
		if name == "testdata" || name == "vendor" || (path != root && strings.ContainsAny(name[:1], "._")) {
			return filepath.SkipDir
		}
		o.judge(path)
		return nil
	})
}

// Import checks a package of the module, or asks for one of the library. What is neither stays unknown.
func (o *oracle) Import(path string) (*types.Package, error) {
	if path != o.module && !strings.HasPrefix(path, o.module+"/") {
		if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
			return nil, fmt.Errorf("%s is not here", path)
		}
		return o.std.Import(path)
	}
	if _, ok := o.packages[path]; !ok {
		o.packages[path] = nil
		for name, files := range o.parse(filepath.Join(o.root, strings.TrimPrefix(path, o.module)), false) {
			o.packages[path] = o.check(path, name, files, nil)
		}
	}
	if o.packages[path] == nil {
		return nil, fmt.Errorf("%s is not here", path)
	}
	return o.packages[path], nil
}

// parse reads the files of a folder that this platform compiles, by the name of their package.
func (o *oracle) parse(folder string, tests bool) map[string][]*ast.File {
	files := map[string][]*ast.File{}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || (!tests && strings.HasSuffix(name, "_test.go")) {
			continue
		}
		if match, err := build.Default.MatchFile(folder, name); err != nil || !match {
			continue
		}
		file, err := parser.ParseFile(o.fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		if file != nil {
			files[file.Name.Name] = append(files[file.Name.Name], file)
		}
	}
	return files
}

func (o *oracle) check(path, name string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: o, Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check(path, o.fset, files, info)
	return pkg
}

// judge prints the names of the packages in a folder.
func (o *oracle) judge(folder string) {
	below, _ := filepath.Rel(o.root, folder)
	path := strings.TrimSuffix(o.module+"/"+filepath.ToSlash(below), "/.")
	packages := o.parse(folder, true)
	names := []string{}
	for name := range packages {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		o.check(path, name, packages[name], info)
		o.bodies = nil
		for _, file := range packages[name] {
			ast.Inspect(file, func(node ast.Node) bool {
				if body, ok := node.(*ast.BlockStmt); ok {
					o.bodies = append(o.bodies, body)
					return false
				}
				return true
			})
		}
		for _, file := range packages[name] {
			o.print(file, info)
		}
	}
}

func (o *oracle) print(file *ast.File, info *types.Info) {
	called := map[*ast.Ident]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			if id := callee(call.Fun); id != nil {
				called[id] = true
			}
		}
		id, ok := node.(*ast.Ident)
		if !ok {
			return true
		}
		role, kind, target := "definition", "", ""
		if object := info.Uses[id]; object != nil {
			role, kind, target = o.say(object, called[id])
		} else if info.Defs[id] == nil {
			return true
		}
		if role != "" {
			position := o.fset.PositionFor(id.Pos(), false)
			path, _ := filepath.Rel(o.root, position.Filename)
			fmt.Fprintf(o.out, "%s\t%d\t%d\t%s\t%s\t%s\t%s\n", filepath.ToSlash(path), position.Line, position.Column-1, id.Name, role, kind, target)
		}
		return true
	})
}

// callee returns the name that a call calls.
func callee(fun ast.Expr) *ast.Ident {
	switch x := fun.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.ParenExpr:
		return callee(x.X)
	case *ast.IndexExpr:
		return callee(x.X)
	case *ast.IndexListExpr:
		return callee(x.X)
	}
	return nil
}

// say returns role, kind and target of a use of an object. An empty role says that the name is not judged.
func (o *oracle) say(object types.Object, isCalled bool) (string, string, string) {
	kind, isLocal := "", false
	switch x := object.(type) {
	case *types.Var:
		object = x.Origin()
		kind = "variable"
		if x.IsField() {
			kind = "field"
			if o.isInBody(x.Pos()) {
				return "", "", ""
			}
		}
		isLocal = !x.IsField() && !isOfPackage(x)
	case *types.Const:
		kind, isLocal = "constant", !isOfPackage(x)
	case *types.TypeName:
		kind = kindOfType(x)
		if _, ok := x.Type().(*types.TypeParam); ok {
			isLocal = true
		} else if x.Pkg() != nil && !isOfPackage(x) {
			return "", "", ""
		}
	case *types.Func:
		object = x.Origin()
		kind = "function"
		if x.Type().(*types.Signature).Recv() != nil {
			kind = "method"
		}
	case *types.Builtin, *types.Nil:
	default:
		return "", "", ""
	}
	position := o.fset.PositionFor(object.Pos(), false)
	isInside := object.Pos().IsValid() && strings.HasPrefix(position.Filename, o.root+string(filepath.Separator))
	isFunction := kind == "function" || kind == "method" || kind == ""
	switch {
	case isCalled && (isFunction || isLocal || (!isInside && kind == "variable")):
		if !isInside || isLocal {
			return "call", "", ""
		}
		return "call", kind, o.place(object)
	case isLocal:
		return "local", "", ""
	case !isInside:
		return "outside", "", ""
	case isCalled && (kind == "field" || kind == "variable"):
		return "called", kind, o.place(object)
	}
	return "use", kind, o.place(object)
}

// isInBody says whether a struct's field stands in a function, where others cannot name it.
func (o *oracle) isInBody(position token.Pos) bool {
	for _, body := range o.bodies {
		if body.Pos() <= position && position < body.End() {
			return true
		}
	}
	return false
}

func (o *oracle) place(object types.Object) string {
	position := o.fset.PositionFor(object.Pos(), false)
	path, _ := filepath.Rel(o.root, position.Filename)
	return fmt.Sprintf("%s:%d:%s", filepath.ToSlash(path), position.Line, object.Name())
}

func isOfPackage(object types.Object) bool {
	return object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
}

func kindOfType(name *types.TypeName) string {
	if name.IsAlias() {
		return "alias"
	}
	switch name.Type().Underlying().(type) {
	case *types.Interface:
		return "interface"
	case *types.Struct:
		return "struct"
	}
	return "type"
}
