// Colours as pictures hold them: four bytes in one number, red lowest; the highest says whether there is one.

/** Colours of four bytes each. */
export const words = (bytes) => new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);

/** A colour with a share of its light. */
export function dimmed(color, share) {
  const of256 = Math.round(256 * share);
  const red = ((color & 0xff) * of256) >> 8, green = (((color >> 8) & 0xff) * of256) >> 8, blue = (((color >> 16) & 0xff) * of256) >> 8;
  return 0xff000000 | (blue << 16) | (green << 8) | red;
}

/** A share of the way from one colour to another. */
export function mixed(from, to, share) {
  let color = 0xff;
  for (let shift = 16; shift >= 0; shift -= 8) {
    const start = (from >> shift) & 0xff;
    color = (color << 8) | Math.round(start + share * (((to >> shift) & 0xff) - start));
  }
  return color;
}
