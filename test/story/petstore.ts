/** A small API description that the story uses. */

export const petstore = `openapi: 3.1.0
info:
  title: Pets
  version: 1.0.0
servers:
  - url: https://pets.example.test/v2
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, required: true, schema: { type: integer } }
      responses:
        '200': { description: pets }
    post:
      operationId: createPet
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { name: { type: string, example: Rex } } }
      responses:
        '201': { description: made }
  /pets/{petId}:
    get:
      operationId: getPet
      parameters:
        - { name: petId, in: path, required: true, schema: { type: string } }
      responses:
        '200': { description: a pet }
`;
