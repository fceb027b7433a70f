// Virtual calls, several bases, exceptions, templates, lambdas, static initialisers: what C++ adds to a program.
extern "C" int puts(const char *);

namespace shapes {

volatile int counter;

struct Problem { int code; explicit Problem(int c) : code(c) {} };
struct Serious : Problem { explicit Serious(int c) : Problem(c * 2) {} };

class Shape {
 public:
  virtual ~Shape() { counter = counter - 1; }
  virtual double area() const = 0;
  virtual const char *name() const { return "shape"; }
  virtual void scale(double by) = 0;
};

class Named {
 public:
  explicit Named(const char *text) : text_(text) { counter = counter + 1; }
  virtual ~Named() { puts(text_); }
  virtual int length() const { int n = 0; while (text_[n] != 0) ++n; return n; }

 protected:
  const char *text_;
};

class Square : public Shape {
 public:
  explicit Square(double side) : side_(side) { if (side < 0) throw Problem(1); }
  double area() const override { return side_ * side_; }
  const char *name() const override { return "square"; }
  void scale(double by) override { side_ *= by; if (side_ > 1e6) throw Serious(3); }

 private:
  double side_;
};

class Label : public Shape, public Named {
 public:
  explicit Label(const char *text) : Named(text) {}
  double area() const override { return static_cast<double>(length()) * 8.5; }
  void scale(double by) override { factor_ = factor_ * by; }
  int length() const override { return Named::length() + static_cast<int>(factor_); }

 private:
  double factor_ = 1;
};

struct Guard {
  const char *what;
  ~Guard() { puts(what); }
};

template <typename T, int N>
struct Ring {
  T items[N] = {};
  unsigned at = 0;
  __attribute__((noinline)) void push(T value) { items[at++ % N] = value; }
  __attribute__((noinline)) T sum() const { T total{}; for (const T &one : items) total = total + one; return total; }
};

template <typename F>
__attribute__((noinline)) int repeat(int times, F each) {
  int total = 0;
  for (int i = 0; i < times; ++i) total += each(i);
  return total;
}

__attribute__((noinline)) int risky(int depth) {
  Guard guard{"risky"};
  switch (depth % 9) {
    case 0: throw Problem(depth);
    case 1: throw Serious(depth);
    case 2: throw depth;
    case 3: return counter + 1;
    case 4: puts("four"); return 4;
    case 5: return risky(depth + 1);
    case 6: counter = depth; return 6;
    case 7: return counter * 3;
    default: return depth;
  }
}

__attribute__((noinline)) int careful(int depth) {
  try {
    Guard outer{"outer"};
    return risky(depth) + careful(depth - 1);
  } catch (const Serious &problem) {
    return problem.code * 2;
  } catch (const Problem &problem) {
    if (problem.code > 100) throw;
    return problem.code;
  } catch (...) {
    puts("something else");
    return -1;
  }
}

Named first("first"), second("second");
Ring<int, 8> small;
Ring<double, 16> large;

}  // namespace shapes

using namespace shapes;

__attribute__((noinline)) double total(Shape *const *all, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) { all[i]->scale(1.5); sum += all[i]->area(); puts(all[i]->name()); }
  return sum;
}

extern "C" int everything_virtual(int argc) {
  Square square(argc);
  Label label("a label");
  Shape *all[] = {&square, &label};
  Shape *made = argc > 3 ? static_cast<Shape *>(new Square(3)) : new Label("made");
  for (int i = 0; i < argc; ++i) { small.push(i); large.push(i * 0.5); }
  int sum = repeat(argc, [argc](int i) { return i * argc + counter; });
  sum += repeat(3, [&](int i) { return careful(i + argc); });
  const auto pointer = &Named::length;
  sum += (label.*pointer)();
  delete made;
  return sum + static_cast<int>(total(all, 2) + large.sum()) + small.sum();
}

int main(int argc, char **) { return everything_virtual(argc) & 63; }
