/** Attributes of renditions by number, as the key format lists them. */
const attributes = [
  "look",
  "element",
  "part",
  "size",
  "direction",
  "placeholder",
  "value",
  "appearance",
  "dimension1",
  "dimension2",
  "state",
  "layer",
  "scale",
  "localization",
  "presentation_state",
  "idiom",
  "subtype",
  "identifier",
  "previous_value",
  "previous_state",
  "size_class_horizontal",
  "size_class_vertical",
  "memory_class",
  "graphics_class",
  "display_gamut",
  "deployment_target",
] as const;

export function attributeName(number: number): string {
  return attributes[number] ?? `attribute_${String(number)}`;
}

const idioms = ["universal", "phone", "pad", "tv", "car", "watch", "marketing"];

export function idiomName(number: number): string {
  return idioms[number] ?? `idiom_${String(number)}`;
}

const layouts: ReadonlyMap<number, string> = new Map([
  [6, "gradient"],
  [7, "effect"],
  [9, "vector"],
  [10, "image"],
  [11, "image_tile"],
  [12, "image_scale"],
  [20, "three_part_horizontal_tile"],
  [21, "three_part_horizontal_scale"],
  [22, "three_part_horizontal_uniform"],
  [23, "three_part_vertical_tile"],
  [24, "three_part_vertical_scale"],
  [25, "three_part_vertical_uniform"],
  [30, "nine_part_tile"],
  [31, "nine_part_scale"],
  [32, "nine_part_horizontal_uniform"],
  [33, "nine_part_vertical_uniform"],
  [34, "nine_part_edges"],
  [40, "six_part"],
  [50, "film_strip"],
  [1000, "data"],
  [1001, "external_link"],
  [1002, "layer_stack"],
  [1003, "internal_link"],
  [1004, "packed_image"],
  [1005, "name_list"],
  [1007, "texture"],
  [1008, "texture_image"],
  [1009, "color"],
  [1010, "multisize_image"],
  [1012, "layer_reference"],
  [1013, "content"],
  [1014, "recognition_object"],
]);

export function layoutName(number: number): string {
  return layouts.get(number) ?? `layout_${String(number)}`;
}

const compressions = ["uncompressed", "rle", "zip", "lzvn", "lzfse", "jpeg_lzfse", "blurred", "astc", "palette_img", "hevc", "deepmap_lzfse", "deepmap2"];

export function compressionName(number: number): string {
  return compressions[number] ?? `compression_${String(number)}`;
}
