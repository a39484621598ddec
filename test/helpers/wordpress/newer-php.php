<?php
// Prints, as JSON, what of the PHP code in each of the given files an interpreter of PHP 7.4 does not know. The interpreter that
// runs this is newer, so its tokens are looked at.

const TOKENS    = array( 'T_MATCH', 'T_NULLSAFE_OBJECT_OPERATOR', 'T_ATTRIBUTE', 'T_ENUM', 'T_READONLY' );
const FUNCTIONS = array( 'str_contains', 'str_starts_with', 'str_ends_with', 'get_debug_type', 'get_resource_id', 'fdiv', 'preg_last_error_msg', 'array_is_list', 'fsync', 'fdatasync', 'array_find', 'array_any', 'array_all', 'json_validate' );

function newer_in( string $code ): array {
	$found  = array();
	$tokens = array();
	foreach ( token_get_all( $code ) as $token ) {
		if ( ! is_array( $token ) || ! in_array( $token[0], array( T_WHITESPACE, T_COMMENT, T_DOC_COMMENT ), true ) ) {
			$tokens[] = is_array( $token ) ? array( token_name( $token[0] ), $token[1] ) : array( $token, $token );
		}
	}
	$name = static function ( int $at ) use ( $tokens ): string {
		return $tokens[ $at ][0] ?? '';
	};
	foreach ( $tokens as $at => list( $kind, $text ) ) {
		if ( in_array( $kind, TOKENS, true ) ) {
			$found[] = $text;
		}
		if ( 'T_STRING' === $kind && in_array( strtolower( $text ), FUNCTIONS, true ) && '(' === $name( $at + 1 ) ) {
			$found[] = $text;
		}
		if ( 'T_THROW' === $kind && ! in_array( $name( $at - 1 ), array( ';', '{', '}', ':', ')', 'T_OPEN_TAG' ), true ) ) {
			$found[] = 'throw in an expression';
		}
		if ( 'T_VARIABLE' === $kind && 'T_DOUBLE_COLON' === $name( $at + 1 ) && 'T_CLASS' === $name( $at + 2 ) ) {
			$found[] = '::class of an object';
		}
		if ( 'T_ELLIPSIS' === $kind && ')' === $name( $at + 1 ) ) {
			$found[] = 'a callable of (...)';
		}
		if ( in_array( $kind, array( 'T_FUNCTION', 'T_FN', 'T_CATCH' ), true ) ) {
			$head = array();
			for ( $next = $at + 1; isset( $tokens[ $next ] ) && ! in_array( $name( $next ), array( '{', ';', 'T_DOUBLE_ARROW' ), true ); $next++ ) {
				$head[] = $name( $next );
				if ( 'T_STRING' === $name( $next ) && in_array( strtolower( $tokens[ $next ][1] ), array( 'mixed', 'never' ), true ) ) {
					$found[] = 'the type ' . $tokens[ $next ][1];
				}
				if ( 'T_CATCH' !== $kind && ',' === $name( $next ) && ')' === $name( $next + 1 ) ) {
					$found[] = 'a comma after the last parameter';
				}
			}
			if ( 'T_CATCH' === $kind && ! in_array( 'T_VARIABLE', $head, true ) ) {
				$found[] = 'catch without a variable';
			}
			if ( 'T_CATCH' !== $kind && in_array( '|', $head, true ) ) {
				$found[] = 'a type of several';
			}
			if ( array() !== array_intersect( array( 'T_PUBLIC', 'T_PRIVATE', 'T_PROTECTED' ), $head ) ) {
				$found[] = 'a promoted parameter';
			}
		}
	}
	return $found;
}

$results = array();
foreach ( array_slice( $argv, 1 ) as $file ) {
	$results[] = newer_in( file_get_contents( $file ) );
}
echo json_encode( $results );
