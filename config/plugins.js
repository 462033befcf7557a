export default {
  // Fills an empty database with the articles, authors and tags that the README shows. Turn it off for content of your own.
  'sample-content': true,
}
