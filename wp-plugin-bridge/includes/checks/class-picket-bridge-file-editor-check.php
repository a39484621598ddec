<?php
/**
 * The check of the file editor.
 *
 * @package PicketBridge
 */

/**
 * Asks whether an administrator may edit plugins or themes in a browser, whatever a constant says.
 */
final class Picket_Bridge_File_Editor_Check extends Picket_Bridge_Check {

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$view = Picket_Bridge_Web_View::read();
		if ( is_wp_error( $view ) ) {
			return self::unanswered( 'the rights of the administrators', $view );
		}
		if ( 0 === $view['administrators'] ) {
			return self::result( 'unknown', 'the site has no administrator' );
		}
		return 0 === $view['editors']
			? self::result( 'passing', 'no administrator may edit plugins or themes' )
			: self::result( 'failing', "{$view['editors']} of {$view['administrators']} administrators may edit plugins or themes" );
	}

	/**
	 * Returns the must-use plugin that takes the right away. A filter, because a constant of wp-config.php would win over
	 * another constant.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$code = "add_filter(\n"
			. "\t'map_meta_cap',\n"
			. "\tstatic function ( \$caps, \$cap ) {\n"
			. "\t\treturn in_array( \$cap, array( 'edit_plugins', 'edit_themes', 'edit_files' ), true ) ? array( 'do_not_allow' ) : \$caps;\n"
			. "\t},\n"
			. "\tPHP_INT_MAX,\n"
			. "\t2\n"
			. ");\n";
		return array( new Picket_Bridge_Must_Use_File( 'file-editor', 'The file editor is disabled', $code ) );
	}
}
