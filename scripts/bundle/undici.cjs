/** The part of undici that the tool uses. Its public entry would load fetch, caches, mocks and more at every start. */
const Agent = require('undici/lib/dispatcher/agent.js');
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
const buildConnector = require('undici/lib/core/connect.js');
const request = require('undici/lib/api/api-request.js');

// The public entry does this for each of its calls.
Dispatcher.prototype.request = request;

module.exports = { Agent, buildConnector };
