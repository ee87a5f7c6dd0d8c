/** Small things that this browser remembers between visits. Refuses to fail: without storage it forgets. */

/** Return a remembered value, or the fallback. */
export function load<T>(key: string, fallback: T): T {
  try {
    const text = window.localStorage.getItem(`headrace.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Remember a value. */
export function save(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(`headrace.${key}`, JSON.stringify(value));
  } catch {
    // Private windows refuse storage; the value lives as long as the page.
  }
}
