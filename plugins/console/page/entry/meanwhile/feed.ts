import { isRecord } from '../../../../pages/values/records.js'

/**
 * Calls back when the live feed tells that an entry may have changed. Returns what ends that. A browser that is refused the feed
 * does not try again.
 */
export function listen(url: string, id: number, look: () => void): () => void {
  const feed = new EventSource(url)
  // The feed does not tell of what came before it was open.
  feed.onopen = look
  feed.onmessage = ({ data }) => {
    if (isAbout(JSON.parse(String(data)), id)) look()
  }
  return () => feed.close()
}

/** An import may have changed every entry. */
const isAbout = (event: unknown, id: number): boolean =>
  isRecord(event) && (event.id === id || event.event === 'content.import')
