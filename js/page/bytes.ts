/** Bytes from text: a page that was opened from a disk may fetch no file, but any page may load a script. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

export async function unzipped(base64: string): Promise<ArrayBuffer> {
  const stream = new Blob([bytesOf(base64)]).stream();
  return new Response(
    stream.pipeThrough(new DecompressionStream('gzip'))
  ).arrayBuffer();
}
