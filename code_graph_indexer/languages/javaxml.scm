; inherits: java
; source-type: text
; extensions: .xml
; content: .xml <(?:mapper\s+namespace=|beans\b|hibernate-mapping\b|persistence\b|web-app\b)
; modules: file
; lookup: file imports
; called-from-outside: .
; template: tags (?s)<!--.*?-->|(<[a-zA-Z/].*?>)|((?<=<class>)[\w.]+|(?<=-class>)[\w.]+)
; template: defines (?s)<mapper\s+namespace="(?:\w+\.)*(?P<object>\w+)".*?</mapper>
; template: defines (?s)<(?:select|insert|update|delete)\s[^<>]*?\bid="(?P<function>\w+)".*?</(?:select|insert|update|delete)>
; template: defines (?s)<(?:sql|resultMap|parameterMap)\s[^<>]*?\bid="(?P<type>\w+)".*?</(?:sql|resultMap|parameterMap)>
; template: defines (?s)<(?:query|sql-query)\s[^<>]*?\bname="(?P<type>[\w.]+)".*?</(?:query|sql-query)>
; template: serves <(?:select|insert|update|delete)\s[^<>]*?\bid="(\w+)"
; template: named <(?:sql|resultMap|parameterMap)\s[^<>]*?\bid="(\w+)"
; template: named <(?:query|sql-query)\s[^<>]*?\bname="([\w.]+)"
; template: link \b(?:refid|resultMap|parameterMap|extends)="([\w.]+)"
; template: imports \b(?:resultType|parameterType|type|ofType|javaType|typeHandler|class)="(?P<name>\w+(?:\.\w+)+)"
; template: imports <(?:class|subclass|joined-subclass|union-subclass)\s[^<>]*?\bname="(?P<name>\w+(?:\.\w+)+)"
; template: imports class>(?P<name>\w+(?:\.\w+)+)
; template: entry <bean\s[^<>]*?\bclass="(?P<handler>\w+(?:\.\w+)+)"
; template: entry <(?:servlet|filter|listener)-class>(?P<handler>\w+(?:\.\w+)+)
