/** Lambda has no such files. Looking for them would cost a cold start Node's `fs/promises` and two reads. */
export function fromSharedConfigFiles() {
  return () => Promise.reject(Object.assign(new Error('There are no shared files.'), { tryNextLink: true }));
}
