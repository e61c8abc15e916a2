; inherits: python
; source-type: text
; filenames: pyproject.toml setup.cfg
; modules: file
; lookup: file imports
; template: tags (?ms)^\[(?:project\.(?:(?:gui-)?scripts|entry-points\.[^\]\n]*)|tool\.poetry\.(?:scripts|plugins\.[^\]\n]*)|options\.entry_points)\][ \t]*\n(.*?)(?=^\[|\Z)
; template: imports =\s*["']?(?P<name>[\w.]+):(?P<names>\w+)
; template: imports =\s*["']?(?P<name>\w+(?:\.\w+)+)["']?[ \t]*$
; template: entry ^[ \t]*["']?(?P<name>[\w.-]+)["']?\s*=\s*["']?(?P<handler>[\w.]+:[\w.]+)
