import com.sun.source.tree.*;
import com.sun.source.util.*;
import javax.lang.model.element.*;
import javax.tools.*;
import java.nio.file.*;
import java.util.*;

public class JavaCalls {
  public static void main(String[] args) throws Exception {
    Path root = Paths.get(args[0]).toAbsolutePath();
    List<Path> files = new ArrayList<>();
    for (int i = 1; i < args.length; i++)
      try (var s = Files.walk(root.resolve(args[i]))) { s.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java") && !p.endsWith("package-info.java")).forEach(files::add); }
    JavaCompiler c = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager fm = c.getStandardFileManager(null, null, null);
    int[] errs = {0};
    JavacTask task = (JavacTask) c.getTask(null, fm, d -> { if (d.getKind() == Diagnostic.Kind.ERROR) errs[0]++; }, List.of("-proc:none", "-Xmaxerrs", "100000"), null, fm.getJavaFileObjectsFromPaths(files));
    Iterable<? extends CompilationUnitTree> units = task.parse();
    task.analyze();
    Trees trees = Trees.instance(task);
    SourcePositions sp = trees.getSourcePositions();
    for (CompilationUnitTree u : units) {
      String path = root.relativize(Paths.get(u.getSourceFile().toUri())).toString();
      LineMap lm = u.getLineMap();
      new TreePathScanner<Void, Void>() {
        void say(Tree t, long pos, String name, boolean isNew) {
          Element e = trees.getElement(new TreePath(getCurrentPath(), t));
          if (e == null) e = trees.getElement(getCurrentPath());
          String state;
          if (e == null || e.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) state = "?";
          else {
            TreePath d = trees.getPath(e);
            if (d == null) {
              Element enc = e.getEnclosingElement();
              TreePath dc = enc == null ? null : trees.getPath(enc);
              if (dc == null) state = "external";
              else { CompilationUnitTree du = dc.getCompilationUnit(); state = root.relativize(Paths.get(du.getSourceFile().toUri())) + ":" + du.getLineMap().getLineNumber(sp.getStartPosition(du, dc.getLeaf())) + ":" + "ctor"; }
            } else { CompilationUnitTree du = d.getCompilationUnit();
              long st = sp.getStartPosition(du, d.getLeaf()), en = sp.getEndPosition(du, d.getLeaf());
              if (st < 0) { d = trees.getPath(e.getEnclosingElement()); st = sp.getStartPosition(du, d.getLeaf()); en = st; }
              state = root.relativize(Paths.get(du.getSourceFile().toUri())) + ":" + du.getLineMap().getLineNumber(st) + ":" + du.getLineMap().getLineNumber(en); }
          }
          System.out.println(path + "\t" + lm.getLineNumber(pos) + "\t" + name + "\t" + (isNew ? "new" : "call") + "\t" + state);
        }
        @Override public Void visitMethodInvocation(MethodInvocationTree t, Void v) {
          ExpressionTree s = t.getMethodSelect();
          String name = s instanceof MemberSelectTree m ? m.getIdentifier().toString() : s.toString();
          long end = sp.getEndPosition(u, s);
          say(s, end - name.length(), name, false);
          return super.visitMethodInvocation(t, v);
        }
        @Override public Void visitNewClass(NewClassTree t, Void v) {
          if (t.getClassBody() == null) {
            String name = t.getIdentifier().toString().replaceAll("<.*", "");
            name = name.substring(name.lastIndexOf('.') + 1);
            say(t, sp.getStartPosition(u, t.getIdentifier()), name, true);
          }
          return super.visitNewClass(t, v);
        }
      }.scan(u, null);
    }
    System.err.println("errors " + errs[0] + " files " + files.size());
  }
}
