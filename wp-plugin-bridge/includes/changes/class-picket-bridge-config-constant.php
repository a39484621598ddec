<?php
/**
 * A constant in wp-config.php.
 *
 * @package PicketBridge
 */

/**
 * Replaces `true` by `false` in the definition of a constant, and leaves a comment that says so: by it the change is found and
 * taken back. Nothing else in the file is touched, and no copy of it is kept, because it contains passwords.
 */
final class Picket_Bridge_Config_Constant implements Picket_Bridge_Change {

	const ON   = '/^(?:true|1)$/i';
	const MARK = '/^\/\* Picket: was (true|1) \*\/$/i';

	/**
	 * The name of the constant.
	 *
	 * @var string
	 */
	private $constant;

	/**
	 * Describes the change.
	 *
	 * @param string $constant The name of the constant.
	 */
	public function __construct( string $constant ) {
		$this->constant = $constant;
	}

	/**
	 * Returns where the file is, as WordPress finds it.
	 */
	private static function path(): string {
		$above = dirname( ABSPATH ) . '/wp-config.php';
		return file_exists( ABSPATH . 'wp-config.php' ) || file_exists( dirname( ABSPATH ) . '/wp-settings.php' ) ? ABSPATH . 'wp-config.php' : $above;
	}

	/**
	 * Returns the tokens of a file, and where in them the value of the constant is; null if it is not defined once, by a
	 * plain value.
	 *
	 * @param string $source The file.
	 * @return array{0: array, 1: int}|null
	 */
	private function found( string $source ): ?array {
		$tokens = token_get_all( $source );
		$places = array();
		$code   = array();
		foreach ( $tokens as $index => $token ) {
			if ( ! is_array( $token ) || ! in_array( $token[0], array( T_WHITESPACE, T_COMMENT, T_DOC_COMMENT ), true ) ) {
				$code[] = $index;
			}
		}
		foreach ( $code as $nth => $index ) {
			$text = array();
			foreach ( array_slice( $code, $nth, 6 ) as $at ) {
				$text[] = is_array( $tokens[ $at ] ) ? $tokens[ $at ][1] : $tokens[ $at ];
			}
			if ( 6 === count( $text ) && 'define' === strtolower( $text[0] ) && '(' === $text[1] && trim( $text[2], '\'"' ) === $this->constant ) {
				$places[] = ',' === $text[3] && ')' === $text[5] ? $code[ $nth + 4 ] : -1;
			}
		}
		return 1 === count( $places ) && $places[0] >= 0 ? array( $tokens, $places[0] ) : null;
	}

	/**
	 * Returns the file with the first of these tokens replaced.
	 *
	 * @param array    $tokens As `token_get_all` returns them.
	 * @param int      $at     The first token that is replaced.
	 * @param string[] $texts  What replaces it and those that follow it.
	 */
	private static function with( array $tokens, int $at, array $texts ): string {
		$source = '';
		foreach ( $tokens as $index => $token ) {
			$source .= $texts[ $index - $at ] ?? ( is_array( $token ) ? $token[1] : $token );
		}
		return $source;
	}

	/**
	 * Returns whether the comment of this plugin follows the value.
	 */
	public function is_applied(): bool {
		$found = $this->found( (string) Picket_Bridge_File::read( self::path() ) );
		return null !== $found && null !== self::marked( $found );
	}

	/**
	 * Returns what the value was; null without the comment of this plugin.
	 *
	 * @param array $found As `found` returns it.
	 */
	private static function marked( array $found ): ?string {
		list( $tokens, $at ) = $found;
		$comment             = $tokens[ $at + 2 ] ?? '';
		return is_array( $comment ) && 1 === preg_match( self::MARK, $comment[1], $was ) ? $was[1] : null;
	}

	/**
	 * Returns why the constant cannot be changed.
	 */
	public function obstacle(): string {
		$source = Picket_Bridge_File::read( self::path() );
		if ( null === $source ) {
			return 'wp-config.php cannot be read.';
		}
		if ( null !== $this->place( $source ) ) {
			return Picket_Bridge_File::obstacle( self::path() );
		}
		// This process may have begun before the change.
		return constant( $this->constant ) && ! $this->is_applied() ? "$this->constant is not set by a plain line of wp-config.php." : '';
	}

	/**
	 * Returns the tokens of a file, where the value is, and the value, if it is to be replaced; null otherwise.
	 *
	 * @param string $source The file.
	 * @return array{0: array, 1: int, 2: string}|null
	 */
	private function place( string $source ): ?array {
		$found = $this->found( $source );
		if ( null === $found || null !== self::marked( $found ) ) {
			return null;
		}
		list( $tokens, $at ) = $found;
		$value               = is_array( $tokens[ $at ] ) ? $tokens[ $at ][1] : '';
		return 1 === preg_match( self::ON, $value ) ? array( $tokens, $at, $value ) : null;
	}

	/**
	 * Returns why the web server would not notice the change. A process of the command line cannot make it forget what it has
	 * compiled of the file.
	 */
	private static function staleness(): string {
		if ( 'cli' === PHP_SAPI ) {
			return 'wp-config.php can be changed only when the web server runs the plugin, not a command line.';
		}
		$is_kept = ini_get( 'opcache.enable' ) && ! ini_get( 'opcache.validate_timestamps' ) && ! function_exists( 'opcache_invalidate' );
		return $is_kept ? 'PHP does not notice changes of wp-config.php on this server.' : '';
	}

	/**
	 * Writes `false` and the comment, unless the constant is off already.
	 */
	public function write(): string {
		$before = (string) Picket_Bridge_File::read( self::path() );
		$place  = $this->place( $before );
		if ( null === $place ) {
			return '';
		}
		$problem = self::staleness();
		if ( '' !== $problem ) {
			return $problem;
		}
		list( $tokens, $at, $was ) = $place;
		return Picket_Bridge_File::replace( self::path(), $before, self::with( $tokens, $at, array( "false /* Picket: was $was */" ) ) );
	}

	/**
	 * Writes what was there.
	 */
	public function undo(): string {
		Picket_Bridge_File::sweep( self::path() );
		$excess = Picket_Bridge_File::excess( self::path() );
		if ( '' !== $excess ) {
			return $excess;
		}
		$before = (string) Picket_Bridge_File::read( self::path() );
		$found  = $this->found( $before );
		$was    = null === $found ? null : self::marked( $found );
		return null === $was ? '' : Picket_Bridge_File::replace( self::path(), $before, self::with( $found[0], $found[1], array( $was, '', '' ) ) );
	}
}
