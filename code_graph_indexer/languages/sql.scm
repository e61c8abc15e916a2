; grammar: tree_sitter_sql
; extensions: .sql .ddl .pgsql .psql
; tests: test/ tests/ *_test.sql test_*.sql
; lookup: file imports peers stars global
; modules: file
; roots: sql db
; import-separator: /
; binds: all
; blank: (?i:(?<!add )\b(constraint\s+[\w"`]+)(?=\s+(?:foreign|unique|check|primary|not|references|default)\b))|(?i:\b(on\s+(?:update|delete)\s+(?:cascade|restrict|no\s+action|set\s+null|set\s+default))\b)|^(\\.*)$|(?is:^[ \t]*(create\s+(?:or\s+replace\s+)?(?:definer\S*\s+)?(?:temp(?:orary)?\s+)?trigger\b[^;$]*?\bbegin\b.*?\bend\b\s*;+))|(?<!\w)(\[)(?=[A-Za-z_]\w*\])|(?<=[A-Za-z_])(\])(?=[\s.,)(;])|(?i:^(use\s.*|go[ \t]*)$)|(@extschema(?::\w+)?@\.)|(?<![:\w])(:\w+\.)
; body-start: (?i)\b(?:as|do)\s+(\$\w{0,40}\$)(?=(?:(?!\1)[\s\S])*?begin)
; body-filling: SELECT 1
; body-names: (?i)--[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|'[^']*'|\b(?:(?:insert\s+)?into|from|join|update|table)\s+(?:\w+\.)?(?P<value>[a-z_]\w*)|\b(?:numeric|decimal|varchar|char|character|varying|bit|timestamp|time|if|elsif|while|until|in|any|all|some|and|or|not|values|exists|as|over|using|on|when|then|else|case|select|where|having|by|return|returning|filter|with|key|check|raise|exception|set|is|like|between|limit|cast|coalesce|nullif|greatest|least|interval|array|row)\s*\(|(?<![\w.:$"])(?:[a-z_]\w*\.)?(?P<call>[a-z_]\w*)\s*\(
; null: NULL null

; Blanked is what the grammar stumbles over: names of constraints, actions of foreign keys, psql's commands, triggers with a
; body of their own (SQLite, MySQL), `USE` and `GO`, brackets around a name, a schema that is a variable (`@extschema@.`, `:name.`).

; A body in PL/pgSQL is read by patterns: the grammar takes most of its statements for errors.

; --- definitions
; A name's schema is left out: tables and functions are found by their names.

(create_table (object_reference name: (identifier) @name) [(column_definitions) (create_query)] @body) @definition.struct
(create_table . (_)* . (object_reference name: (identifier) @name)) @definition.struct
(create_view (object_reference name: (identifier) @name) (create_query) @body) @definition.struct
(create_materialized_view (object_reference name: (identifier) @name) (create_query) @body) @definition.struct
(create_type (object_reference name: (identifier) @name) (enum_elements) @body) @definition.enum
(create_type (object_reference name: (identifier) @name) (column_definitions) @body) @definition.struct
(create_type (object_reference name: (identifier) @name)) @definition.type
(enum_elements enum_element: (literal) @name @definition.enum_member)
(alter_table (object_reference name: (identifier) @owner) (add_column (keyword_column) (column_definition name: (identifier) @name [type: (_) custom_type: (_)]? @type) @definition.field))
(column_definitions (column_definition name: (identifier) @name [type: (_) custom_type: (_)]? @type) @definition.field)

(create_function (keyword_function) . (object_reference name: (identifier) @name) (keyword_returns) . (_) @returns (function_body) @body) @definition.function
(create_function (keyword_function) . (object_reference name: (identifier) @name) (function_body)? @body) @definition.function
(create_procedure (keyword_procedure) . (object_reference name: (identifier) @name) (procedure_body)? @body) @definition.function
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @definition.function
(create_index column: (identifier) @name (object_reference name: (identifier) @owner)) @definition.property
(create_policy (keyword_policy) . (object_reference name: (identifier) @name) (keyword_on) . (object_reference name: (identifier) @owner)) @definition.property
(create_sequence (object_reference name: (identifier) @name)) @definition.variable
(create_schema (identifier) @name) @definition.namespace

[(comment) (marginalia)] @comment

; --- references

(invocation (object_reference name: (identifier) @reference.call))
(create_trigger (keyword_execute) . (_) . (object_reference name: (identifier) @reference.call))
([(from (object_reference name: (identifier) @reference.value))
  (relation (object_reference name: (identifier) @reference.value))
  (insert (object_reference name: (identifier) @reference.value))
  (create_trigger (keyword_on) . (object_reference name: (identifier) @reference.value))
  (create_index (keyword_on) . (object_reference name: (identifier) @reference.value))
  (create_policy (keyword_on) . (object_reference name: (identifier) @reference.value))
  (alter_table (object_reference name: (identifier) @reference.value))
  (column_definition (keyword_references) . (object_reference name: (identifier) @reference.value))
  (column_definition custom_type: (object_reference name: (identifier) @reference.value))
  (constraint (keyword_references) . (object_reference name: (identifier) @reference.value))
  (function_argument custom_type: (object_reference name: (identifier) @reference.value))
  (cast custom_type: (object_reference name: (identifier) @reference.value))
  (create_function (keyword_returns) . (object_reference name: (identifier) @reference.value))
  ; `REFERENCES a` without columns
  (ERROR (keyword_references) . [(object_reference name: (identifier) @reference.value) (identifier) @reference.value])])

; --- local types

(function_argument . (keyword_out)? . (identifier) @param)
(function_declaration . (identifier) @local)
(cte . (identifier) @local)
