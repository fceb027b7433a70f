/** Bits of UIControlEvents (UIControl.h). */
const names: readonly (readonly [bit: number, name: string])[] = [
  [0, "touch_down"],
  [1, "touch_down_repeat"],
  [2, "touch_drag_inside"],
  [3, "touch_drag_outside"],
  [4, "touch_drag_enter"],
  [5, "touch_drag_exit"],
  [6, "touch_up_inside"],
  [7, "touch_up_outside"],
  [8, "touch_cancel"],
  [12, "value_changed"],
  [13, "primary_action_triggered"],
  [14, "menu_action_triggered"],
  [16, "editing_did_begin"],
  [17, "editing_changed"],
  [18, "editing_did_end"],
  [19, "editing_did_end_on_exit"],
];

/** Events that a mask of UIKit names; bits without a name by their number. */
export function eventNames(mask: number): string[] {
  const bits = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => ((mask >>> bit) & 1) === 1);
  return bits.map((bit) => names.find(([known]) => known === bit)?.[1] ?? `bit_${String(bit)}`);
}
