/** The part of undici that the tool uses: its public entry would load fetch, caches, mocks and the rest at every start. */
const Agent = require('undici/lib/dispatcher/agent.js');
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
const buildConnector = require('undici/lib/core/connect.js');
const request = require('undici/lib/api/api-request.js');

// As the public entry does for all of its calls.
Dispatcher.prototype.request = request;

module.exports = { Agent, buildConnector };
