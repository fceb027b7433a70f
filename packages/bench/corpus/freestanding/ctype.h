#pragma once
int isalpha(int); int isdigit(int); int isalnum(int); int isspace(int); int tolower(int); int toupper(int);
