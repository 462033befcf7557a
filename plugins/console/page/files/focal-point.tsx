import { type Signal, useSignal } from '@preact/signals'
import { isRecord } from '../../../pages/values/records.js'
import type { Related } from '../../model/form/plain.js'
import { t } from '../text.js'

/** A place in a picture, as shares of its width and height. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The focal point of a picture, where one was set. */
export function pointOf({ values }: Related): Point | undefined {
  const { focalX, focalY } = isRecord(values.provider_metadata) ? values.provider_metadata : {}
  return typeof focalX === 'number' && typeof focalY === 'number' ? { x: focalX, y: focalY } : undefined
}

const middle: Point = { x: 0.5, y: 0.5 }
const step = 0.01
const steps: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
}

const within = (share: number): number => Math.round(Math.min(Math.max(share, 0), 1) * 100) / 100
const percent = (share: number): number => Math.round(share * 100)

interface FocalPointProps {
  readonly file: Related
  readonly point: Signal<Point | undefined>
  readonly isReadOnly: boolean
}

/** A picture with its focal point, which is set by a click or with arrow keys. */
export function FocalPoint({ file, point, isReadOnly }: FocalPointProps) {
  const isSetting = useSignal(false)
  const { url, updatedAt } = file.values
  const shown = point.value
  // A picture that was replaced keeps its address.
  const src =
    typeof url === 'string' && url.startsWith('/') ? `${url}?v=${encodeURIComponent(String(updatedAt))}` : String(url)
  const place = shown ?? middle
  return (
    <div class="focal">
      <span class="focal-picture">
        <img src={src} alt="" />
        {shown && (
          <svg aria-hidden="true">
            <circle cx={`${percent(place.x)}%`} cy={`${percent(place.y)}%`} r="9" />
          </svg>
        )}
        {isSetting.value && (
          <button
            type="button"
            ref={element => element?.focus()}
            aria-label={t('files.focalAt', { across: percent(place.x), down: percent(place.y) })}
            onClick={event => {
              // A key clicks as well, and nowhere.
              if (event.detail === 0) return
              const { width, height, left, top } = event.currentTarget.getBoundingClientRect()
              point.value = { x: within((event.clientX - left) / width), y: within((event.clientY - top) / height) }
            }}
            onKeyDown={event => {
              const by = steps[event.key]
              if (!by) return
              event.preventDefault()
              const times = event.shiftKey ? 10 : 1
              // Keys may come faster than the page is drawn.
              const { x, y } = point.value ?? middle
              point.value = { x: within(x + by.x * times), y: within(y + by.y * times) }
            }}
          />
        )}
      </span>
      {!isReadOnly && (
        <span class="row">
          <button
            type="button"
            class="button"
            aria-pressed={isSetting.value}
            onClick={() => {
              isSetting.value = !isSetting.value
              point.value ??= middle
            }}
          >
            {t('files.focal')}
          </button>
          {isSetting.value && <span class="quiet">{t('files.focalHow')}</span>}
        </span>
      )}
    </div>
  )
}
