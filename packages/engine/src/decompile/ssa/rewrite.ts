import { load, type Expr } from "../../ir/expression.js";
import { remake } from "../../ir/simplify.js";

/** Rebuilds a tree from its leaves; `leaf` replaces reads, uses and constants, `node` what was rebuilt. */
export function rewrite(expr: Expr, leaf: (expr: Expr) => Expr, node: (expr: Expr) => Expr = (same) => same): Expr {
  switch (expr.kind) {
    case "op": {
      if (expr.args.length === 0) return expr;
      let changed = false;
      const args = expr.args.map((arg) => {
        const made = rewrite(arg, leaf, node);
        changed ||= made !== arg;
        return made;
      });
      return node(changed ? remake(expr, args) : expr);
    }
    case "load": {
      const address = rewrite(expr.address, leaf, node);
      return node(address === expr.address ? expr : load(expr.bits, address));
    }
    default:
      return leaf(expr);
  }
}
