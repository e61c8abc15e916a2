; languages: python
; mark: \b(?:MIDDLEWARE|INSTALLED_APPS|AUTHENTICATION_BACKENDS|REST_FRAMEWORK)\s*\+?=
; members: __call__ process_request process_view process_response process_exception process_template_response authenticate get_user has_perm

; Settings name code by texts: MIDDLEWARE = ["shop.middleware.Timer"]
((string) @handler @registers.middleware (#match? @handler "^.[a-z_]\\w*(\\.\\w+)+.$"))
