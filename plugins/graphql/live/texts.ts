import type { RouteCall } from '../../../core/index.js'
import type { Feed, FeedTexts } from '../../events/index.js'
import type { Subscribed } from './subscribed.js'

/** The text of a response that is one event of a stream, and of the end of the stream. */
export const nextText = (text: string): string => `event: next\ndata: ${text}\n\n`
export const completeText = 'event: complete\ndata:\n\n'

/** The texts for a client that follows a subscription. */
export const textsOf = (feed: Feed, call: RouteCall, { uid, respond }: Subscribed): FeedTexts => ({
  opening: ':\n\n',
  beat: () => ':\n\n',
  closing: completeText,
  async *of(events) {
    const followed = events.filter(event => event.uid === uid)
    if (followed.length === 0) return
    const renewed = { ...call, ...(await call.renew()) }
    for (const event of followed) {
      const text = await respond({ event, wasLive: feed.wasLive(event) }, renewed)
      if (text !== undefined) yield nextText(text)
    }
  },
})
