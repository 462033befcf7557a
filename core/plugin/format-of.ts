import type { TypeOutline } from '../schema/types.js'
import type { AppOutline, FormatOutline } from './outline.js'

/** The format in which requests that choose none get the responses of an action on a type. */
export function formatOf(
  { app, formats }: Pick<AppOutline, 'app' | 'formats'>,
  type: TypeOutline,
  action: string,
): FormatOutline {
  const serving = () => formats.find(({ serves }) => serves?.(type, action))?.name
  const name = type.options.format ?? serving() ?? app.api.rest.format
  return formats.find(one => one.name === name) ?? { entry: 'nested' }
}
