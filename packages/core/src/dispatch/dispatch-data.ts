import type { Omission } from "../omission.js";
import type {
  DispatchItem,
  ObjcClassItem,
  ObjcProtocolItem,
  SwiftKind,
  SwiftTypeItem,
} from "../operations/dispatch-metadata.js";

/** Everything known of the runtime metadata of one target, in a stable order; all text unescaped and uncut. */
export interface DispatchData {
  readonly classes: readonly ObjcClassItem[];
  readonly protocols: readonly ObjcProtocolItem[];
  readonly swift: readonly { readonly kind: SwiftKind; readonly item: SwiftTypeItem }[];
  readonly dispatch: readonly DispatchItem[];
  readonly objcOmissions: readonly Omission[];
  readonly swiftOmissions: readonly Omission[];
}
