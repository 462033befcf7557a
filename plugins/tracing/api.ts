import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { BootError } from '../../core/index.js'

/** As much of `@opentelemetry/api` as is used: the package is that of the app, which decides its version and its SDK. */
export interface Api {
  readonly trace: {
    getTracer(name: string): Tracer
    getTracerProvider(): Provider
    setSpan(context: Context, span: Span): Context
    getSpan(context: Context): Span | undefined
  }
  readonly context: {
    active(): Context
    with<T>(context: Context, work: () => T): T
  }
  readonly propagation: { extract(context: Context, headers: object): Context }
  readonly ROOT_CONTEXT: Context
}

export interface Context {
  getValue(key: symbol): unknown
}

export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  readonly isRemote?: boolean
}

export interface Span {
  spanContext(): SpanContext
  setAttributes(attributes: Attributes): this
  updateName(name: string): this
  setStatus(status: { readonly code: number; readonly message?: string }): this
  end(time?: number): void
}

export type Attributes = Record<string, string | number | boolean | undefined>

interface SpanOptions {
  readonly kind?: number
  readonly startTime?: number
  readonly attributes?: Attributes
  readonly links?: readonly { readonly context: SpanContext }[]
}

/** The provider that the SDK has registered; the package wraps it. */
interface Provider {
  getDelegate?(): Provider
  forceFlush?(): Promise<void>
}

interface Tracer {
  startSpan(name: string, options: SpanOptions, context: Context): Span
}

/** `SpanKind` and `SpanStatusCode` of the package. */
export const kinds = { internal: 0, server: 1, client: 2 } as const
export const failed = 2

const name = '@opentelemetry/api'

/** The package of the app; `stele` does not bring it. */
export async function loadApi(appDir: string): Promise<Api> {
  const places = [path.join(appDir, 'package.json'), import.meta.url]
  for (const place of places) {
    const found = resolved(place)
    if (found !== undefined) return (await import(pathToFileURL(found).href)) as Api
  }
  throw new BootError(`the plugin tracing needs the package ${name}, which is not installed: npm install ${name}`)
}

function resolved(place: string): string | undefined {
  try {
    return createRequire(place).resolve(name)
  } catch {
    return undefined
  }
}
