/** The result of a promise, or an error if it takes longer than some milliseconds. */
export function within<T>(patience: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('too late')), patience);
    promise.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
