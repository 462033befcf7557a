export default ({ env }) => ({
  // The address to listen on. Unset, it is this machine alone, and in production every address that it has.
  host: env('HOST'),
  // 0 takes a free port.
  port: env.int('PORT', 1337),
})
