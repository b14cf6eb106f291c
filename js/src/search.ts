/** Whether every word of a query is somewhere in the texts, in any order and case. */
export function matches(query: string, ...texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every(word => all.includes(word));
}
