#include "a.h"
int g(void){return f(1);}
