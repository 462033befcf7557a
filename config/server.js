export default ({ env }) => ({
  // The address to listen on; 0.0.0.0 is every one that this machine has.
  host: env('HOST', '0.0.0.0'),
  // 0 takes a free port.
  port: env.int('PORT', 1337),
})
