package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	root, _ := filepath.Abs(os.Args[1])
	os.Chdir(root)
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	filepath.Walk(root, func(p string, fi os.FileInfo, err error) error {
		if err != nil || !fi.IsDir() {
			return nil
		}
		n := fi.Name()
		if n == "testdata" || n == "vendor" || n == "examples" || n == "_examples" || (strings.HasPrefix(n, ".") && p != root) || strings.HasPrefix(n, "_") {
			return filepath.SkipDir
		}
		pkgs, err := parser.ParseDir(fset, p, func(f os.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		for _, pkg := range pkgs {
			var files []*ast.File
			for _, f := range pkg.Files {
				files = append(files, f)
			}
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{}}
			conf := types.Config{Importer: imp, Error: func(error) {}, FakeImportC: true}
			conf.Check(p, fset, files, info)
			for _, f := range files {
				ast.Inspect(f, func(n ast.Node) bool {
					c, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					fun := c.Fun
					for {
						if x, ok := fun.(*ast.ParenExpr); ok {
							fun = x.X
						} else if x, ok := fun.(*ast.IndexExpr); ok {
							fun = x.X
						} else {
							break
						}
					}
					var id *ast.Ident
					switch x := fun.(type) {
					case *ast.Ident:
						id = x
					case *ast.SelectorExpr:
						id = x.Sel
					default:
						return true
					}
					if tv, ok := info.Types[c.Fun]; ok && tv.IsType() {
						return true
					}
					pos := fset.Position(id.Pos())
					rel, _ := filepath.Rel(root, pos.Filename)
					o := info.Uses[id]
					state := "?"
					if o != nil {
						if fn, ok := o.(*types.Func); ok {
							fn = fn.Origin()
							d := fset.Position(fn.Pos())
							if strings.HasPrefix(d.Filename, root+"/") {
								r, _ := filepath.Rel(root, d.Filename)
								state = fmt.Sprintf("%s:%d:%d", r, d.Line, d.Line)
							} else {
								state = "external"
							}
						} else if _, ok := o.(*types.Builtin); ok {
							return true
						} else {
							return true
						}
					}
					fmt.Printf("%s\t%d\t%s\tcall\t%s\n", rel, pos.Line, id.Name, state)
					return true
				})
			}
		}
		return nil
	})
}
