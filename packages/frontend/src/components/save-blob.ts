/** Hands a file to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click; a URL revoked at once would come to nothing in some.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
