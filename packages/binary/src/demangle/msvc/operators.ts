/** Operators and compiler-made functions by the code behind `?`; constructors, destructors and conversions are read apart. */
export const operators: ReadonlyMap<string, string> = new Map([
  ["2", "operator new"], ["3", "operator delete"], ["4", "operator="], ["5", "operator>>"], ["6", "operator<<"],
  ["7", "operator!"], ["8", "operator=="], ["9", "operator!="], ["A", "operator[]"], ["C", "operator->"], ["D", "operator*"],
  ["E", "operator++"], ["F", "operator--"], ["G", "operator-"], ["H", "operator+"], ["I", "operator&"], ["J", "operator->*"],
  ["K", "operator/"], ["L", "operator%"], ["M", "operator<"], ["N", "operator<="], ["O", "operator>"], ["P", "operator>="],
  ["Q", "operator,"], ["R", "operator()"], ["S", "operator~"], ["T", "operator^"], ["U", "operator|"], ["V", "operator&&"],
  ["W", "operator||"], ["X", "operator*="], ["Y", "operator+="], ["Z", "operator-="], ["_0", "operator/="], ["_1", "operator%="],
  ["_2", "operator>>="], ["_3", "operator<<="], ["_4", "operator&="], ["_5", "operator|="], ["_6", "operator^="],
  ["_D", "`vbase dtor'"], ["_E", "`vector deleting dtor'"], ["_F", "`default ctor closure'"], ["_G", "`scalar deleting dtor'"],
  ["_H", "`vector ctor iterator'"], ["_I", "`vector dtor iterator'"], ["_J", "`vector vbase ctor iterator'"],
  ["_K", "`virtual displacement map'"], ["_L", "`eh vector ctor iterator'"], ["_M", "`eh vector dtor iterator'"],
  ["_N", "`eh vector vbase ctor iterator'"], ["_O", "`copy ctor closure'"], ["_T", "`local vftable ctor closure'"],
  ["_U", "operator new[]"], ["_V", "operator delete[]"], ["__A", "`managed vector ctor iterator'"],
  ["__B", "`managed vector dtor iterator'"], ["__C", "`EH vector copy ctor iterator'"],
  ["__D", "`EH vector vbase copy ctor iterator'"], ["__G", "`vector copy ctor iterator'"],
  ["__H", "`vector vbase copy constructor iterator'"], ["__I", "`managed vector vbase copy constructor iterator'"],
  ["__L", "operator co_await"], ["__M", "operator<=>"],
]);
