#pragma once
extern int errno;
