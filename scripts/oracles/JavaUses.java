import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeKind;
import javax.tools.*;

/**
 * Write the uses of definitions in a Java checkout as javac sees them, for bench_uses.py.
 *
 * <p>scip_uses.py explains the columns. Libraries stand in the class path. Names that depend on missing ones have no row.
 *
 * <p>usage: java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED -cp LIBRARY.jar JavaUses.java ROOT FOLDER... > USES.tsv
 */
public class JavaUses {
  static final Set<ElementKind> LOCAL =
      EnumSet.of(
          ElementKind.LOCAL_VARIABLE,
          ElementKind.PARAMETER,
          ElementKind.EXCEPTION_PARAMETER,
          ElementKind.RESOURCE_VARIABLE,
          ElementKind.BINDING_VARIABLE,
          ElementKind.TYPE_PARAMETER);

  final Path root;
  final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
  Trees trees;
  SourcePositions positions;

  JavaUses(Path root) {
    this.root = root;
  }

  public static void main(String[] args) throws Exception {
    JavaUses oracle = new JavaUses(Paths.get(args[0]).toAbsolutePath().normalize());
    List<Path> files = new ArrayList<>();
    for (int i = 1; i < args.length; i++)
      try (var paths = Files.walk(oracle.root.resolve(args[i]))) {
        paths
            .filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java") && !p.endsWith("package-info.java"))
            .sorted()
            .forEach(files::add);
      }
    oracle.judge(files);
  }

  void judge(List<Path> files) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    int[] errors = {0};
    DiagnosticListener<JavaFileObject> listener =
        d -> {
          if (d.getKind() == Diagnostic.Kind.ERROR) errors[0]++;
        };
    List<String> options = List.of("-proc:none", "-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW");
    JavacTask task =
        (JavacTask) compiler.getTask(null, manager, listener, options, null, manager.getJavaFileObjectsFromPaths(files));
    Iterable<? extends CompilationUnitTree> units = task.parse();
    task.analyze();
    trees = Trees.instance(task);
    positions = trees.getSourcePositions();
    for (CompilationUnitTree unit : units) new Names(unit).scan(unit, null);
    out.flush();
    System.err.println("errors " + errors[0] + " files " + files.size());
  }

  String path(CompilationUnitTree unit) {
    return root.relativize(Paths.get(unit.getSourceFile().toUri())).toString().replace('\\', '/');
  }

  /** Returns where the name of a declaration starts, or -1. */
  static int nameOf(Tree tree, String name, String text) {
    int from = ((JCTree) tree).pos;
    // A class has the position of its keyword.
    int at = tree instanceof ClassTree && from >= 0 ? text.indexOf(name, from) : from;
    return at >= 0 && text.startsWith(name, at) ? at : -1;
  }

  /** Returns PATH:LINE:NAME of what is declared, or nothing outside the checkout. */
  String place(Element element) throws java.io.IOException {
    TreePath declared = trees.getPath(element);
    if (declared == null) return "";
    CompilationUnitTree unit = declared.getCompilationUnit();
    String name = element.getSimpleName().toString();
    int at = nameOf(declared.getLeaf(), name, unit.getSourceFile().getCharContent(true).toString());
    return at < 0 ? "" : path(unit) + ":" + unit.getLineMap().getLineNumber(at) + ":" + name;
  }

  static String kind(Element element) {
    Set<Modifier> modifiers = element.getModifiers();
    return switch (element.getKind()) {
      case CLASS -> "class";
      case RECORD -> "record";
      case INTERFACE -> "interface";
      case ENUM -> "enum";
      case ANNOTATION_TYPE -> "annotation";
      case ENUM_CONSTANT -> "enum_member";
      case FIELD -> modifiers.containsAll(Set.of(Modifier.STATIC, Modifier.FINAL)) ? "constant" : "field";
      case RECORD_COMPONENT -> "field";
      case METHOD, CONSTRUCTOR -> "method";
      default -> "";
    };
  }

  /** Says whether an element stands in a method or anonymous class, where others cannot name it. */
  static boolean isInner(Element element) {
    for (Element e = element; e != null; e = e.getEnclosingElement())
      if (e instanceof TypeElement type
          && (type.getNestingKind() == NestingKind.LOCAL || type.getNestingKind() == NestingKind.ANONYMOUS)) return true;
    return false;
  }

  class Names extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;
    final String text;
    final Set<Tree> called = Collections.newSetFromMap(new IdentityHashMap<>());
    final Set<Long> printed = new HashSet<>();
    boolean inImport;

    Names(CompilationUnitTree unit) throws java.io.IOException {
      this.unit = unit;
      text = unit.getSourceFile().getCharContent(true).toString();
    }

    void print(long at, String name, String role, String kind, String target) {
      if (at < 0 || !text.startsWith(name, (int) at) || !printed.add(at)) return;
      LineMap lines = unit.getLineMap();
      long line = lines.getLineNumber(at);
      int column = text.substring((int) lines.getStartPosition(line), (int) at).getBytes(StandardCharsets.UTF_8).length;
      out.println(String.join("\t", path(unit), "" + line, "" + column, name, role, kind, target));
    }

    void use(Tree tree, long at, String name) {
      Element element = trees.getElement(getCurrentPath());
      if (element == null || name.equals("this") || name.equals("super") || name.equals("class") || isInner(element)) return;
      ElementKind of = element.getKind();
      if (of == ElementKind.PACKAGE || (of != ElementKind.METHOD && element.asType().getKind() == TypeKind.ERROR)) return;
      boolean isCalled = called.contains(tree);
      if (LOCAL.contains(of)) {
        print(at, name, "local", "", "");
        return;
      }
      String target;
      try {
        target = place(element);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      String kind = target.isEmpty() ? "" : kind(element);
      if (inImport) print(at, name, target.isEmpty() ? "outside" : "import", target.isEmpty() ? "import" : kind, target);
      else if (isCalled) print(at, name, "call", kind, target);
      else print(at, name, target.isEmpty() ? "outside" : "use", kind, target);
    }

    @Override
    public Void visitImport(ImportTree tree, Void v) {
      inImport = true;
      super.visitImport(tree, v);
      inImport = false;
      return null;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void v) {
      called.add(tree.getMethodSelect());
      return super.visitMethodInvocation(tree, v);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void v) {
      Tree name = tree.getIdentifier();
      while (name instanceof ParameterizedTypeTree || name instanceof AnnotatedTypeTree)
        name = name instanceof ParameterizedTypeTree p ? p.getType() : ((AnnotatedTypeTree) name).getUnderlyingType();
      called.add(name);
      return super.visitNewClass(tree, v);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void v) {
      use(tree, positions.getStartPosition(unit, tree), tree.getName().toString());
      return super.visitIdentifier(tree, v);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void v) {
      String name = tree.getIdentifier().toString();
      use(tree, positions.getEndPosition(unit, tree) - name.length(), name);
      return super.visitMemberSelect(tree, v);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void v) {
      String name = tree.getName().toString();
      use(tree, positions.getEndPosition(unit, tree) - name.length(), name);
      return super.visitMemberReference(tree, v);
    }

    void define(Tree tree, Name name) {
      print(nameOf(tree, name.toString(), text), name.toString(), "definition", "", "");
    }

    @Override
    public Void visitClass(ClassTree tree, Void v) {
      if (!tree.getSimpleName().isEmpty()) define(tree, tree.getSimpleName());
      return super.visitClass(tree, v);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void v) {
      define(tree, tree.getName());
      return super.visitMethod(tree, v);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void v) {
      define(tree, tree.getName());
      return super.visitVariable(tree, v);
    }
  }
}
