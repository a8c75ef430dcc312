/**
 * Describes TypeScript types as JSON Schema (2020-12): interfaces and classes become components, doc comments become
 * descriptions, and a regular expression in a property's decorator becomes its pattern. An unknown type is an error, so
 * that nothing is described wrongly.
 */
import ts from 'typescript';

export class Schemas {
  /** @type {Record<string, object>} */
  components = {};

  /** @param {ts.TypeChecker} checker @param {Record<string, unknown>} examples by type name */
  constructor(checker, examples) {
    this.checker = checker;
    this.examples = examples;
  }

  /** @param {ts.Type} type @returns {object} */
  toSchema(type) {
    const primitiveSchema = toPrimitiveSchema(type);
    if (primitiveSchema) return primitiveSchema;
    if (type.isUnion()) return this.#union(type.types);
    if (this.checker.isArrayType(type)) return { type: 'array', items: this.toSchema(this.checker.getTypeArguments(type)[0]) };
    const symbol = type.getSymbol();
    if (!symbol) throw new Error(`The type ${this.checker.typeToString(type)} cannot be described as a schema.`);
    const values = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (values) return { type: 'object', additionalProperties: this.toSchema(values.type) };
    return this.#component(symbol.getName(), type);
  }

  /** @param {ts.Type} type of a class of query parameters @returns {object[]} */
  toParameters(type) {
    return this.checker.getPropertiesOfType(type).map((property) => {
      const { description, ...schema } = this.#property(property);
      const required = !isOptional(property);
      return { name: property.getName(), in: 'query', required, ...(description ? { description } : {}), schema };
    });
  }

  #component(name, type) {
    // An inline type has no name.
    if (name === '__type') return this.#object(type);
    const ref = { $ref: `#/components/schemas/${name}` };
    if (name in this.components) return ref;
    // The component is set before its properties, which may refer back to it.
    this.components[name] = {};
    const example = this.examples[name];
    const { type: kind, ...members } = this.#object(type);
    const description = withDescription(readDocumentation(type.getSymbol(), this.checker));
    this.components[name] = { type: kind, ...description, ...members, ...(example ? { examples: [example] } : {}) };
    return ref;
  }

  #object(type) {
    const properties = this.checker.getPropertiesOfType(type);
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map((property) => [property.getName(), this.#property(property)])),
      required: properties.filter((property) => !isOptional(property)).map((property) => property.getName()),
      additionalProperties: false,
    };
  }

  /** @param {ts.Symbol} property */
  #property(property) {
    const type = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(property));
    const declaredType = this.checker.getTypeOfSymbol(property);
    const isNullable = declaredType.isUnion() && declaredType.types.some(({ flags }) => flags & ts.TypeFlags.Null);
    const schema = isNullable ? allowNull(this.toSchema(type)) : this.toSchema(type);
    const pattern = toPattern(property, this.checker);
    // A pattern is more precise than a format.
    const format = pattern
      ? undefined
      : property.getName().endsWith('_at')
        ? 'date-time'
        : property.getName() === 'url'
          ? 'uri'
          : undefined;
    return {
      ...schema,
      ...(pattern ? { pattern } : {}),
      ...(format && schema.type ? { format } : {}),
      ...withDescription(readDocumentation(property, this.checker)),
    };
  }

  #union(types) {
    const memberTypes = types.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
    const isNullable = types.some(({ flags }) => flags & ts.TypeFlags.Null);
    const schema = memberTypes.every((type) => type.isStringLiteral())
      ? { type: 'string', enum: memberTypes.map(({ value }) => value).sort() }
      : memberTypes.every(({ flags }) => flags & ts.TypeFlags.BooleanLiteral)
        ? { type: 'boolean' }
        : { anyOf: removeRepeats(memberTypes.map((type) => this.toSchema(type))) };
    return isNullable ? allowNull(schema) : schema;
  }
}

/** @param {ts.Type} type */
function toPrimitiveSchema(type) {
  const { flags } = type;
  if (type.isStringLiteral()) return { type: 'string', enum: [type.value] };
  if (flags & ts.TypeFlags.String) return { type: 'string' };
  if (flags & ts.TypeFlags.Number) return { type: 'number' };
  if (flags & (ts.TypeFlags.Boolean | ts.TypeFlags.BooleanLiteral)) return { type: 'boolean' };
  // Any JSON value.
  if (flags & ts.TypeFlags.Unknown) return {};
  return null;
}

function allowNull(schema) {
  if (!schema.type) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
}

/** TypeScript represents `boolean` as a union of its two values. */
function removeRepeats(schemas) {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** @param {ts.Symbol} property */
function isOptional(property) {
  return (property.flags & ts.SymbolFlags.Optional) !== 0;
}

/** @param {ts.Symbol | undefined} symbol @param {ts.TypeChecker} checker */
function readDocumentation(symbol, checker) {
  return ts.displayPartsToString(symbol?.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim();
}

export function withDescription(description) {
  return description === '' ? {} : { description };
}

/** Finds the regular expression with which a decorator validates the property, even if functions create the decorator. */
function toPattern(property, checker) {
  const declaration = property.valueDeclaration;
  const decorators = declaration && ts.canHaveDecorators(declaration) ? (ts.getDecorators(declaration) ?? []) : [];
  for (const { expression } of decorators) {
    const validation = findValidation(expression, checker);
    if (validation) return validation.text.replace(/^\/|\/[a-z]*$/g, '');
  }
  return undefined;
}

/** @param {ts.Node} node a decorator, or a part of the function that creates it */
function findValidation(node, checker) {
  const symbol = ts.isCallExpression(node) ? checker.getSymbolAtLocation(node.expression) : undefined;
  const isImported = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const factory = (isImported ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration;
  const search = (part) => findValidation(part, checker);
  return findExpression(node) ?? (factory && search(factory)) ?? ts.forEachChild(node, search);
}

/** @param {ts.Node | undefined} node @returns {ts.RegularExpressionLiteral | undefined} */
function findExpression(node) {
  if (!node || ts.isRegularExpressionLiteral(node)) return node;
  return ts.forEachChild(node, findExpression);
}
