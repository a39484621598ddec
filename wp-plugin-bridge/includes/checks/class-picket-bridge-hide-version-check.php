<?php
/**
 * The check of the version of WordPress.
 *
 * @package PicketBridge
 */

/**
 * Looks for the version in the pages that everybody can see.
 */
final class Picket_Bridge_Hide_Version_Check extends Picket_Bridge_Check {

	/**
	 * Returns whether a page shows the version: as the generator, or in the address of a file of WordPress. The control plane
	 * has the same function, and its tests have examples for both.
	 *
	 * @param string $body    The page.
	 * @param string $version The version.
	 */
	public static function is_shown( string $body, string $version ): bool {
		$quoted = preg_quote( $version, '~' );
		if ( 1 === preg_match( "~(?:WordPress[ /]|wordpress\\.org/\\?v=)$quoted(?![\\d.])~i", $body ) ) {
			return true;
		}
		// Word by word, because one expression for both halves of an address takes time with the square of a hostile page.
		foreach ( preg_split( '/["\'\s<>]+/', $body ) as $word ) {
			if ( 1 === preg_match( '~wp-(?:includes|admin)/~i', $word, $folder, PREG_OFFSET_CAPTURE )
				&& 1 === preg_match( "~[?&;]ver=$quoted(?![\\d.])~i", substr( $word, $folder[0][1] ) ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		// Other plugins change what `get_bloginfo` returns.
		$version = (string) ( $GLOBALS['wp_version'] ?? '' );
		$pages   = array(
			'the home page'  => home_url( '/' ),
			'the feed'       => home_url( '/?feed=rss2' ),
			'the log-in page' => wp_login_url(),
			'readme.html'    => site_url( 'readme.html' ),
		);
		$shown   = array();
		foreach ( $pages as $name => $url ) {
			$answer = Picket_Bridge_Self_Request::page( $url );
			if ( is_wp_error( $answer ) ) {
				return self::unanswered( $name, $answer );
			}
			if ( self::is_shown( $answer['body'], $version ) ) {
				$shown[] = $name;
			}
		}
		if ( array() !== $shown ) {
			return self::result( 'failing', 'the version of WordPress is in ' . implode( ', ', $shown ) );
		}
		$home = Picket_Bridge_Self_Request::page( $pages['the home page'] );
		return 200 === $home['status']
			? self::result( 'passing', 'no page shows the version of WordPress' )
			: self::result( 'unknown', "the home page answers with HTTP {$home['status']}" );
	}

	/**
	 * Returns the must-use plugin that removes the generator, and replaces the version in addresses by a text that changes
	 * with it, so that browsers still fetch new files after an update.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$code = "remove_action( 'wp_head', 'wp_generator' );\n"
			. "add_filter( 'the_generator', '__return_empty_string', PHP_INT_MAX );\n"
			. "\$picket_bridge_ver = substr( hash( 'sha256', \$GLOBALS['wp_version'] . ( defined( 'AUTH_KEY' ) ? AUTH_KEY : '' ) ), 0, 12 );\n"
			. "\$picket_bridge_hide = static function ( \$dependencies ) use ( \$picket_bridge_ver ) {\n"
			. "\t\$dependencies->default_version = \$picket_bridge_ver;\n"
			. "};\n"
			. "add_action( 'wp_default_styles', \$picket_bridge_hide, PHP_INT_MAX );\n"
			. "add_action( 'wp_default_scripts', \$picket_bridge_hide, PHP_INT_MAX );\n"
			. "\$picket_bridge_rename = static function ( \$src ) use ( \$picket_bridge_ver ) {\n"
			. "\treturn is_string( \$src ) ? preg_replace( '/([?&;]ver=)' . preg_quote( \$GLOBALS['wp_version'], '/' ) . '(?![\\d.])/', '\${1}' . \$picket_bridge_ver, \$src ) : \$src;\n"
			. "};\n"
			. "foreach ( array( 'style_loader_src', 'script_loader_src', 'script_module_loader_src' ) as \$picket_bridge_filter ) {\n"
			. "\tadd_filter( \$picket_bridge_filter, \$picket_bridge_rename, PHP_INT_MAX );\n"
			. "}\n";
		return array( new Picket_Bridge_Must_Use_File( 'hide-version', 'The version of WordPress is hidden', $code ) );
	}
}
