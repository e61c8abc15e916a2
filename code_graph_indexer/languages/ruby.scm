; grammar: tree_sitter_ruby
; cut: ^end[ \t]*\n
; extensions: .rb .rake .gemspec .ru .rbw .podspec .jbuilder .rabl .thor
; constructors: initialize
; common: to_s to_a to_h to_sym to_i to_f is_a? respond_to? instance_variable_get each_with_index each_with_object method_missing send_file each_pair each_key each_value each_char each_line each_byte each_slice each_cons each_entry delete_if keep_if to_hash to_ary to_path to_str to_proc to_enum to_json to_set transform_keys transform_values transform_keys! transform_values! filter_map flat_map group_by sort_by min_by max_by find_index find_all force_encoding valid_encoding? ascii_only? read_nonblock write_nonblock instance_eval instance_exec class_eval class_exec module_eval method_defined? const_get const_set const_defined? instance_variable_set instance_variables instance_of? kind_of? public_send singleton_class close_read close_write start_with? end_with? has_key? has_value? values_at
; filenames: Rakefile Gemfile Guardfile Capfile Vagrantfile Podfile Fastfile Brewfile Berksfile Thorfile Dangerfile Appraisals Steepfile .irbrc .pryrc
; shebangs: ruby jruby
; tests: *_test.rb *_spec.rb test_*.rb test_helper.rb spec_helper.rb test/ spec/ features/step_definitions/ features/support/
; called-from-outside: \bdef\s+(?:self\.)?(?:method_missing|respond_to_missing\?|const_missing|method_added|included|extended|prepended|inherited)(?!\w)
; linear-bases: last
; twins: (?:if|unless|case|begin)\b
; self: self
; self-type: self
; embedded: erb (?sm)\berb_template <<~(?:ERB|HTML)\n(.*?)^\s*(?:ERB|HTML)$
; super-calls: super
; class-members: new class
; class-getters: class
; lookup: class file imports peers stars global
; open-types: yes
; split-types: yes
; late-members: yes
; modules: file
; roots: lib app src ext
; import-separator: /
; relative: .
; binds: all
; null: nil
; doc-types: @param\s+(?P<name>\w+)\s+\[(?P<type>(?!Object\b|Boolean\b|Proc\b|Symbol\b|String\b|Hash\b)[A-Z][\w:]*(?:<[\w:]+>)?)(?:, nil)?\]
; doc-types: @param\s+\[(?P<type>(?!Object\b|Boolean\b|Proc\b|Symbol\b|String\b|Hash\b)[A-Z][\w:]*(?:<[\w:]+>)?)(?:, nil)?\]\s+(?P<name>\w+)
; doc-types: @return\s+\[(?P<result>self\b|(?!Object\b|Boolean\b|Proc\b|Symbol\b|String\b|Hash\b)[A-Z][\w:]*(?:<[\w:]+>)?)(?:, nil)?\]
; doc-types: @generic\s+(?P<variable>\w+)
; runs: static method_missing
; alternative-operators: || or
; expression: name identifier,constant,instance_variable,class_variable,global_variable,self,super,true,false
; expression: text string,chained_string,heredoc_beginning,character
; expression: number integer,float,rational,complex,string_array,symbol_array
; expression: null nil
; expression: same parenthesized_statements 0
; expression: same assignment right
; expression: same right_assignment_list 0
; expression: signed unary operand
; expression: root scope_resolution scope name
; expression: method call receiver method arguments block
; expression: index element_reference object 1
; expression: either conditional consequence alternative
; expression: either if_modifier body
; expression: binary binary left operator right
; expression: list array
; expression: mapping hash value
; expression: labelled pair key value

; --- definitions
; The body starts at the first child after the head, which may be a comment.

(module name: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)] . (_)? @body) @definition.module
(class name: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)]
  superclass: (_) . (_)? @body) @definition.class
(class name: [(constant) @name (scope_resolution scope: (_)? @owner name: (constant) @name)] !superclass . (_)? @body) @definition.class
((assignment left: (constant) @name right: (call receiver: (constant) @_maker method: (identifier) @_new block: (_)? @body)) @definition.class
  (#any-of? @_maker "Struct" "Class" "Data") (#any-of? @_new "new" "define"))

; `private def m` is documented and read as one statement.
(call !receiver method: (identifier) arguments: (argument_list . [
  (method name: (_) @name parameters: (_) . (_)? @body)
  (method name: (_) @name !parameters . (_)? @body)
  (singleton_method name: (_) @name body: (_)? @body)] .)) @definition.method
([(body_statement (method name: (_) @name parameters: (_) . (_)? @body) @definition.method)
  (body_statement (method name: (_) @name !parameters . (_)? @body) @definition.method)
  (body_statement (singleton_method name: (_) @name parameters: (_) . (_)? @body) @definition.method)
  (body_statement (singleton_method name: (_) @name !parameters . (_)? @body) @definition.method)])
([(program (method name: (_) @name parameters: (_) . (_)? @body) @definition.function)
  (program (method name: (_) @name !parameters . (_)? @body) @definition.function)])
(program (singleton_method object: [(constant) @owner (_)] name: (_) @name body: (_)? @body) @definition.method)
([(then (method name: (_) @name body: (_)? @body) @definition.function)
  (else (method name: (_) @name body: (_)? @body) @definition.function)
  (begin (method name: (_) @name body: (_)? @body) @definition.function)
  (block_body (method name: (_) @name body: (_)? @body) @definition.method)
  (then (singleton_method name: (_) @name body: (_)? @body) @definition.method)
  (else (singleton_method name: (_) @name body: (_)? @body) @definition.method)
  (block_body (singleton_method name: (_) @name body: (_)? @body) @definition.method)])
; A class may have a method for itself, and another of the same name for its objects.
(singleton_method) @static
(singleton_class body: (body_statement (method) @static))
(alias name: [(identifier) (constant) (operator) (setter)] @name) @definition.method

; The members of such a class: `Struct.new(:amount, :currency)`, with or without a name of its own.
((assignment left: (constant) right: (call receiver: (constant) @_maker arguments: (argument_list (simple_symbol) @name @definition.property)))
  (#any-of? @_maker "Struct" "Data"))
((superclass (call receiver: (constant) @_maker arguments: (argument_list (simple_symbol) @name @definition.property)))
  (#any-of? @_maker "Struct" "Data"))

((call !receiver method: (identifier) @_macro arguments: (argument_list . [(simple_symbol) @name (string (string_content) @name)]) block: (_)? @body) @definition.method
  (#any-of? @_macro "define_method" "define_singleton_method" "alias_method"))
; `delegate :total, to: :cart` and `def_delegators :@cart, :total` define methods.
((call !receiver method: (identifier) @_macro arguments: (argument_list (simple_symbol) @name @definition.method (pair key: (hash_key_symbol) @_to)) @_options)
  (#eq? @_macro "delegate") (#eq? @_to "to") (#not-match? @_options "\\bprefix:"))
((call !receiver method: (identifier) @_macro arguments: (argument_list (simple_symbol) @name @definition.method
    (pair key: (hash_key_symbol) @_to value: (simple_symbol) @prefix)
    (pair key: (hash_key_symbol) @_prefix value: (true))))
  (#eq? @_macro "delegate") (#eq? @_to "to") (#eq? @_prefix "prefix"))
((call !receiver method: (identifier) @_macro arguments: (argument_list (simple_symbol) @name @definition.method
    (pair key: (hash_key_symbol) @_to)
    (pair key: (hash_key_symbol) @_prefix value: (simple_symbol) @prefix)))
  (#eq? @_macro "delegate") (#eq? @_to "to") (#eq? @_prefix "prefix"))
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) (simple_symbol) @name @definition.method))
  (#any-of? @_macro "def_delegators" "def_instance_delegators"))
; `belongs_to :user` gives an object of the class User, or of `class_name: "Owner"`.
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name @type.named) @_options) @definition.property
  (#any-of? @_macro "belongs_to" "has_one") (#not-match? @_options "\\b(class_name|polymorphic):"))
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name
    (pair key: (hash_key_symbol) @_class value: (string (string_content) @type)))) @definition.property
  (#any-of? @_macro "belongs_to" "has_one") (#eq? @_class "class_name"))
; What models and controllers declare by a symbol: associations, fields, named queries and values.
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name)) @definition.property
  (#any-of? @_macro "has_many" "has_and_belongs_to_many" "has_one_attached" "has_many_attached" "embeds_many" "embeds_one" "embedded_in" "field" "attribute" "enum" "expose" "decorates_association"))
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name . (lambda))) @definition.property
  (#eq? @_macro "scope"))
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name) @_options) @definition.property
  (#any-of? @_macro "belongs_to" "has_one") (#match? @_options "\\bpolymorphic:"))
; One attribute takes its whole declaration; of several each is its own definition.
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @name .)) @definition.property
  (#any-of? @_macro "attr_accessor" "attr_reader" "attr_writer" "attr" "mattr_accessor" "cattr_accessor" "class_attribute"))
((call !receiver method: (identifier) @_macro arguments: (argument_list (simple_symbol) @name @definition.property . ","))
  (#any-of? @_macro "attr_accessor" "attr_reader" "attr_writer" "attr" "mattr_accessor" "cattr_accessor" "class_attribute"))
((call !receiver method: (identifier) @_macro arguments: (argument_list "," @_comma . (simple_symbol) @name @definition.property))
  (#any-of? @_macro "attr_accessor" "attr_reader" "attr_writer" "attr" "mattr_accessor" "cattr_accessor" "class_attribute"))

(assignment left: (constant) @name) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant
(assignment left: (scope_resolution scope: (_)? @owner name: (constant) @name)) @definition.constant

((comment) @comment (#not-match? @comment "^#!|^#[ \t]*(-\\*-[ \t]*)?(frozen_string_literal|encoding|coding|warn_indent|typed):"))

; --- references

(call receiver: (_) @receiver method: [(identifier) (constant)] @reference.call)
; What the language itself does is no call.
((call !receiver method: [(identifier) (constant)] @reference.call)
  (#not-match? @reference.call "^(require|require_relative|load|autoload|include|extend|prepend|attr|attr_accessor|attr_reader|attr_writer|define_method|alias_method|private|public|protected|module_function|private_constant|private_class_method|public_class_method|raise|block_given\\?|lambda|proc|binding|__method__|_1|_2)$"))
; A name that stands alone is a call, unless it is a local variable.
((identifier) @reference.bare
  (#not-match? @reference.bare "^(require|require_relative|load|autoload|include|extend|prepend|attr|attr_accessor|attr_reader|attr_writer|define_method|alias_method|private|public|protected|module_function|private_constant|private_class_method|public_class_method|raise|block_given\\?|lambda|proc|binding|__method__|_1|_2)$"))
(super) @reference.call
; `cart.total = 1` runs another method than `cart.total` does.
([(assignment left: (call receiver: (_) method: (identifier) @written.setter))
  (operator_assignment left: (call receiver: (_) method: (identifier) @written.setter))
  (left_assignment_list (call receiver: (_) method: (identifier) @written.setter))
  (left_assignment_list (instance_variable) @written)])
; Methods that are named by symbols: `send(:load)`, `before_action :load, if: :ready?`, `rows.each(&:load)`.
((call receiver: (_)? @receiver method: (identifier) @_send arguments: (argument_list . [(simple_symbol) @reference.call (string . (string_content) @reference.call .)]))
  (#any-of? @_send "send" "public_send" "__send__"))
((call receiver: (_)? @receiver method: (identifier) @_method arguments: (argument_list . (simple_symbol) @reference.value))
  (#any-of? @_method "method" "instance_method" "public_method"))
([(class body: (body_statement (call !receiver method: (_) @_macro arguments: (argument_list [
    (simple_symbol) @reference.value (pair value: [(simple_symbol) @reference.value (array (simple_symbol) @reference.value)])]))))
  (module body: (body_statement (call !receiver method: (_) @_macro arguments: (argument_list [
    (simple_symbol) @reference.value (pair value: [(simple_symbol) @reference.value (array (simple_symbol) @reference.value)])]))))]
  (#not-match? @_macro "^(delegate|def_(instance_)?delegators)$"))
; A method that is delegated calls the method of its name.
((call !receiver method: (identifier) @_macro arguments: (argument_list (simple_symbol) @reference.call
    (pair key: (hash_key_symbol) @_to value: [(simple_symbol) @receiver.named [(constant) (scope_resolution) (identifier) (call)] @receiver])))
  (#eq? @_macro "delegate") (#eq? @_to "to"))
((call !receiver method: (identifier) @_macro arguments: (argument_list . (simple_symbol) @receiver.named (simple_symbol) @reference.call))
  (#any-of? @_macro "def_delegators" "def_instance_delegators"))
(call receiver: (_) @receiver.each arguments: (argument_list (block_argument (simple_symbol) @reference.call)))

(superclass (constant) @inherits)
(superclass (scope_resolution scope: (_)? @receiver name: (constant) @inherits))
(superclass (call receiver: (constant) @inherits))
(superclass (element_reference object: (scope_resolution scope: (_)? @receiver name: (constant) @inherits)))
((call !receiver method: (identifier) @_mix arguments: (argument_list (constant) @inherits))
  (#any-of? @_mix "include" "extend" "prepend"))
((call !receiver method: (identifier) @_mix arguments: (argument_list (scope_resolution scope: (_)? @receiver name: (constant) @inherits)))
  (#any-of? @_mix "include" "extend" "prepend"))
; What a module gives to the class that includes it: `def self.included(base) base.extend(ClassMethods) end`.
((singleton_method name: (identifier) @_hook parameters: (method_parameters . (identifier) @_base) body: (_ (call
    receiver: (identifier) @_receiver method: (identifier) @_mix arguments: (argument_list [(constant) @inherits (scope_resolution scope: (_)? @receiver name: (constant) @inherits)]))))
  (#any-of? @_hook "included" "extended" "prepended" "inherited") (#eq? @_base @_receiver) (#any-of? @_mix "include" "extend" "prepend"))
; Rails does so for a module of this name: `extend ActiveSupport::Concern`.
(module body: (body_statement
    (call !receiver method: (identifier) @_mix arguments: (argument_list [(constant) @_concern (scope_resolution name: (constant) @_concern)]))
    (module name: (constant) @inherits))
  (#eq? @_mix "extend") (#eq? @_concern "Concern") (#eq? @inherits "ClassMethods"))

(call method: (identifier) @_alias arguments: (argument_list . (_) . (simple_symbol) @reference.value) (#eq? @_alias "alias_method"))

; --- imports

((call !receiver method: (identifier) @_import arguments: (argument_list . (string) @import.module .))
  (#any-of? @_import "require" "require_relative" "load"))
; require File.join(__dir__, "cart"), and File.expand_path("cart", __dir__)
((call !receiver method: (identifier) @_import arguments: (argument_list . (call receiver: (constant) @_file method: (identifier)
    arguments: (argument_list [((string) @import.module . (identifier) @_folder) ((identifier) @_folder . (string) @import.module)])) .))
  (#any-of? @_import "require" "load") (#eq? @_file "File") (#eq? @_folder "__dir__"))
((call method: (identifier) @_import arguments: (argument_list . (_) . (string) @import.module .))
  (#eq? @_import "autoload"))

; --- local types

(assignment left: [(identifier) (instance_variable) (class_variable) (global_variable)] @local right: (_) @value)
(operator_assignment left: [(identifier) (instance_variable) (class_variable) (global_variable)] @local right: (_) @value)
; What a method gives to a variable of its object, all methods see.
([(assignment left: [(instance_variable) (class_variable)] @field.made @receiver right: (_) @value)
  (operator_assignment left: [(instance_variable) (class_variable)] @field.made @receiver right: (_) @value)
  (assignment left: (left_assignment_list (instance_variable) @field.made @receiver))])
; `@carts << Cart.new` says what the list holds.
([(binary left: (instance_variable) @field @receiver operator: "<<" right: (_) @element)
  (call receiver: (instance_variable) @field @receiver method: (identifier) @_push arguments: (argument_list . (_) @element .))]
  (#any-of? @_push "push" "append" "add" "unshift" "prepend"))
(rescue exceptions: (exceptions . [(constant) (scope_resolution)] @type .) variable: (exception_variable (identifier) @local))
(method_parameters [(identifier) @param (optional_parameter name: (identifier) @param) (keyword_parameter name: (identifier) @param)
  (splat_parameter (identifier) @local) (block_parameter (identifier) @local) (hash_splat_parameter (identifier) @local)])
(call receiver: (_) @each block: (_ parameters: (block_parameters . (identifier) @local)) @within)
([(block parameters: (block_parameters [(identifier) @local (_ [(identifier) @local (_ (identifier) @local)])]))
  (do_block parameters: (block_parameters [(identifier) @local (_ [(identifier) @local (_ (identifier) @local)])]))
  (lambda parameters: (lambda_parameters [(identifier) @local (_ (identifier) @local)]))] @within)
(assignment left: (left_assignment_list) @unpack right: (_) @value)
([(left_assignment_list (destructured_left_assignment (identifier) @local)) (left_assignment_list (rest_assignment (identifier) @local))
  (left_assignment_list (destructured_left_assignment (_ (identifier) @local))) (for pattern: [(identifier) @local (_ (identifier) @local)])
  (as_pattern name: (identifier) @local) (keyword_pattern key: (hash_key_symbol) @local !value)
  (array_pattern [(identifier) @local (_ (identifier) @local)]) (hash_pattern (_ (identifier) @local))])
(rescue variable: (exception_variable (identifier) @local))

; RSpec: `let(:cart) { Cart.new }` and `subject { … }` hold in the block around.
([(do_block (body_statement (call !receiver method: (identifier) @_let arguments: (argument_list . (simple_symbol) @local) block: [
    (block (block_body (_) @value .)) (do_block (body_statement (_) @value .))])))] @within
  (#any-of? @_let "let" "let!" "subject" "subject!"))
([(do_block (body_statement (call !receiver method: (identifier) @local !arguments block: [
    (block (block_body (_) @value .)) (do_block (body_statement (_) @value .))])))] @within
  (#eq? @local "subject"))
((call !receiver method: (identifier) @silent block: (_)) (#any-of? @silent "subject" "subject!"))

; What a method is worth: its last expression, and what it returns.
([(method body: [(body_statement [(identifier) (call) (instance_variable)] @result .) (identifier) @result (call) @result])
  (singleton_method body: [(body_statement [(identifier) (call) (instance_variable)] @result .) (identifier) @result (call) @result])
  (return (argument_list . (_) @result .))
  ; `@total ||= Total.new`
  (method body: (body_statement [(assignment right: (_) @result) (operator_assignment right: (_) @result)] .))
  (singleton_method body: (body_statement [(assignment right: (_) @result) (operator_assignment right: (_) @result)] .))])
