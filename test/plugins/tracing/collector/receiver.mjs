// A receiver of OTLP over HTTP, as protobuf and as JSON, for the spans that an SDK sends.
import http from 'node:http'
import { gunzipSync } from 'node:zlib'

/** The messages of `opentelemetry/proto`, as far as spans need them. */
const messages = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  repeated Link links = 13; Status status = 15; fixed32 flags = 16;
}
message Link { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4; fixed32 flags = 6; }
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value {
  string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5;
} }
message ArrayValue { repeated AnyValue values = 1; }
`

/** Starts a receiver on a free port; `protobuf` is the package `protobufjs`. `behave` is what it does with a request. */
export async function startReceiver(protobuf) {
  const request = protobuf.parse(messages).root.lookupType('Request')
  const receiver = {
    spans: [],
    types: new Set(),
    requests: 0,
    behave: 'well',
    take: () => receiver.spans.splice(0),
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
  const server = http.createServer(async (message, response) => {
    const body = Buffer.concat(await message.toArray())
    const type = message.headers['content-type']
    receiver.requests += 1
    if (receiver.behave === 'hang') return
    if (receiver.behave === '503') return response.writeHead(503).end()
    if (message.url === '/v1/traces') {
      const bytes = message.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      receiver.types.add(type)
      receiver.spans.push(...(type === 'application/json' ? fromJson(bytes) : fromBytes(request, bytes)))
    }
    response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : undefined)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${server.address().port}`
  return receiver
}

function fromBytes(request, bytes) {
  const hex = part => (part?.length ? Buffer.from(part).toString('hex') : undefined)
  const decoded = request.toObject(request.decode(bytes), { longs: String, bytes: Array })
  return spansOf(decoded, hex)
}

const fromJson = bytes => spansOf(JSON.parse(bytes.toString()), part => part || undefined)

function spansOf({ resourceSpans = [] }, idOf) {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ scope, spans = [] }) =>
      spans.map(span => ({
        name: span.name,
        kind: span.kind,
        scope: scope.name,
        resource: valuesOf(resource.attributes),
        attributes: valuesOf(span.attributes),
        status: span.status?.code ?? 0,
        traceId: idOf(span.traceId),
        id: idOf(span.spanId),
        parent: idOf(span.parentSpanId),
        links: (span.links ?? []).map(link => [idOf(link.traceId), idOf(link.spanId)]),
        ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
      })),
    ),
  )
}

const valuesOf = (attributes = []) => Object.fromEntries(attributes.map(({ key, value }) => [key, plainOf(value)]))

function plainOf({ stringValue, boolValue, intValue, doubleValue, arrayValue } = {}) {
  if (arrayValue) return (arrayValue.values ?? []).map(plainOf)
  return stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue))
}
