#pragma once
double floor(double); double fabs(double); double pow(double, double); double sqrt(double); double log(double); double exp(double);
